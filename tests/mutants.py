"""Mutants of a C++ source: small faults, each made of one token, condition or statement.

Works on tokens, relying on clang-format: binary operators stand between blanks, template brackets,
unary operators and pointers do not.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/) | (?P<directive>^[ ]*\#(?:[^\n]*\\\n)*[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*") | (?P<char>'(?:\\.|[^'\\\n])*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+\.\d*(?:e\d+)?|\d+)[uUlLf]*) | (?P<word>[A-Za-z_]\w*)
      | (?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|[^\s\w])""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
BINARY = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("&",),
    "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("=",), "%=": ("=",), "|=": ("=",),
    "<<=": (">>=", "="), ">>=": ("<<=", "="),
}  # fmt: skip
UNARY = {"++": ("--",), "--": ("++",), "!": ("",), "-": ("",), "~": ("",)}
WORDS = {"true": "false", "false": "true"}
# Names of constants, which become their neighbours; and codes of errors, which become others.
CONSTANT = re.compile(r"(LANEPOOL_[A-Z0-9_]+|U?INT\d+_(?:MAX|MIN)|kMost\w*|kFar)$")
NO_CONSTANT = re.compile(r"LANEPOOL_(VERSION_.*|TEXT.*|SRC.*)$")
NO_VALUE = ("case", "int32_t", "int64_t", ".")  # before a constant: a label, a definition
CODES = {"Field": ("kOp", "kLayout"), "Rule": ("kNotNull", "kZero")}
NO_STATEMENT = {"static_assert", "using", "typedef", "case", "default", "struct", "class", "enum",
                "template", "namespace", "extern", "if", "for", "while", "switch",
                "else"}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """Text [begin, end) of `file` becomes `text`. `line` and `change` name it, wherever the line
    moves."""

    file: str
    begin: int
    end: int
    text: str
    line: str
    number: int
    change: str

    def applied(self, text):
        return text[: self.begin] + self.text + text[self.end :]

    def __str__(self):
        return f"{self.file}:{self.number}: {self.line}   {self.change}"


class Source:
    def __init__(self, file, text):
        self.file, self.text = file, text
        kinds = ("comment", "directive")
        self.tokens = [t for t in TOKEN.finditer(text) if t.lastgroup not in kinds]
        self.words = [t.group() for t in self.tokens]
        self.closing = self._closing()
        self.mutants = []
        self.seen = {}

    def _closing(self):
        """The index of the bracket that closes the one at each index."""
        closing, stack = {}, []
        for i, word in enumerate(self.words):
            if word in "([{":
                stack.append(i)
            elif word in ")]}":
                closing[stack.pop()] = i
        return closing

    def _line(self, at):
        begin = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        return self.text[begin:end].strip()

    def _add(self, begin, end, text, change):
        number = self.text.count("\n", 0, begin) + 1
        line = self._line(begin)
        # The same change of equal lines, and of one line, gets a number.
        key = (line, change)
        count = self.seen[key] = self.seen.get(key, 0) + 1
        change = change if count == 1 else f"{change} (#{count})"
        self.mutants.append(Mutant(self.file, begin, end, text, line, number, change))

    def _replace(self, i, text):
        token = self.tokens[i]
        self._add(token.start(), token.end(), text, f"{token.group()} -> {text or 'nothing'}")

    def _is_spaced(self, i):
        token = self.tokens[i]
        blank = " \n"
        return self.text[token.start() - 1] in blank and self.text[token.end()] in blank

    def _token(self, i):
        token, word = self.tokens[i], self.words[i]
        before = self.words[i - 1] if i > 0 else ""
        if token.lastgroup == "op":
            if word in BINARY and self._is_spaced(i) and before != "template":
                for text in BINARY[word]:
                    self._replace(i, text)
            elif word in UNARY and not self._is_spaced(i):
                for text in UNARY[word]:
                    self._replace(i, text)
            elif word == "?":
                self._add(token.start(), token.end(), "|| true ?", "? always")
                self._add(token.start(), token.end(), "&& false ?", "? never")
        elif token.lastgroup == "number" and before != "case":
            if word in ("0", "0u", "0.0"):
                self._replace(i, "1")
            else:
                self._replace(i, f"({word} + 1)")
                self._replace(i, f"({word} - 1)")
        elif word in WORDS:
            self._replace(i, WORDS[word])
        elif CONSTANT.match(word) and before not in NO_VALUE and not NO_CONSTANT.match(word):
            self._replace(i, f"({word} - 1)" if word.endswith(("MAX", "kFar")) else f"({word} + 1)")
        elif before == "::" and self.words[i - 2] in CODES:
            one, other = CODES[self.words[i - 2]]
            self._replace(i, other if word == one else one)

    def _condition(self, i):
        """`if (...)`, `while (...)`: forced both ways."""
        close = self.closing[i + 1]
        begin, end = self.tokens[i + 1].end(), self.tokens[close].start()
        change = "(...) -> "
        if self.words[i] == "if":
            self._add(begin, end, "true", f"{self.words[i]} {change}true")
        self._add(begin, end, "false", f"{self.words[i]} {change}false")

    def _statement(self, i):
        """The statement that begins at token i, removed."""
        end = i
        while self.words[end] not in (";", "{", "}"):
            end = self.closing.get(end, end) + 1 if self.words[end] in "([" else end + 1
        if self.words[end] != ";" or end == i:
            return
        word = self.words[i]
        declares = word != "return" and self.tokens[i + 1].lastgroup == "word"
        if declares or word in NO_STATEMENT or self.words[i : end] == ["return"]:
            return
        begin, stop = self.tokens[i].start(), self.tokens[end].start()
        self._add(begin, stop, "", "removed")

    def collect(self):
        depth = 0  # in round brackets
        begins = False
        for i, word in enumerate(self.words):
            if begins and depth == 0:
                self._statement(i)
            begins = word in ("{", "}", ";", "else")
            if word in ("if", "while") and self.words[i + 1] == "(":
                self._condition(i)
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
                opened = next(a for a, b in self.closing.items() if b == i)
                begins = depth == 0 and self.words[opened - 1] in ("if", "for", "while")
            elif word == ":" and self.text[self.tokens[i].start() - 1] != " ":
                begins = True  # case, default
            self._token(i)
        return self.mutants


def mutants_of(file, text):
    """All mutants of a source, in the order of the text."""
    return Source(file, text).collect()


def read_survivors(text):
    """{(file, line, change): reason} of the text of mutation_survivors.txt."""
    listed, file, line, key = {}, "", "", None
    for entry in text.splitlines():
        content = entry.strip()
        if not content or entry.startswith("#"):
            continue
        indent = len(entry) - len(entry.lstrip())
        if indent == 0:
            file = content
        elif indent == 2:
            line = content
        elif indent == 4:
            change, _, reason = content.partition(": ")
            key = (file, line, change)
            listed[key] = reason
        else:
            listed[key] += " " + content
    return listed
