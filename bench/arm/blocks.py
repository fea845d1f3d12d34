"""What count_blocks.c writes."""

import collections
import typing

DIGITS = 8  # of an instruction


class Block(typing.NamedTuple):
    """Instructions that run one after the other, as hexadecimal words."""

    address: int
    words: str

    @property
    def length(self):
        return len(self.words) // DIGITS


def read(path):
    """How often each block ran. A block that was translated twice counts as one."""
    runs = collections.Counter()
    with open(path, encoding="ascii") as lines:
        for line in lines:
            address, count, words = line.split()
            runs[Block(int(address, 16), words)] += int(count)
    return runs


def hottest(runs, share):
    """Blocks with the most instructions, until they have this share of all."""
    ordered = sorted(runs.items(), key=lambda item: item[0].length * item[1], reverse=True)
    wanted = share * sum(block.length * count for block, count in ordered)
    for block, count in ordered:
        if wanted <= 0:
            return
        wanted -= block.length * count
        yield block, count
