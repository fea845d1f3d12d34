"""The stubs say what the extension module has, and the package type-checks."""

import ast
import inspect
import pathlib
import re
import subprocess
import sys

import lanepool
import pytest
from lanepool import _core

FOLDER = pathlib.Path(lanepool.__file__).parent


def arguments(function):
    """Names of the arguments, and how many have no default."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names, len(names) - len(function.args.defaults)


def real_arguments(function):
    """The same of a function of nanobind, from its own signature."""
    ((signature, *_),) = function.__nb_signature__
    text = re.sub(r"\\\d+", "None", signature)  # defaults stand beside it
    (definition,) = ast.parse(text + ": ...").body
    return arguments(definition)


def test_stubs_are_the_module():
    declared = ast.parse((FOLDER / "_core.pyi").read_text(encoding="utf-8"))
    functions = {node.name: node for node in declared.body if isinstance(node, ast.FunctionDef)}
    assert set(functions) == {name for name in vars(_core) if not name.startswith("_")} - {"Plan"}
    (plan,) = (node for node in declared.body if isinstance(node, ast.ClassDef))
    methods = {node.name: node for node in plan.body if isinstance(node, ast.FunctionDef)}
    real = {name for name in vars(_core.Plan) if not name.startswith("__")}
    assert {name for name in methods if not name.startswith("__")} == real
    compared = 0
    for owner, nodes in ((_core, functions), (_core.Plan, methods)):
        for name, node in nodes.items():
            member = inspect.getattr_static(owner, name)
            is_property = any(d.id == "property" for d in node.decorator_list)
            assert is_property == isinstance(member, property), name
            if hasattr(member, "__nb_signature__") and name not in ("__eq__", "__hash__"):
                names, needed = arguments(node)
                assert real_arguments(member) == (names, needed), name
                compared += 1
    assert compared >= 6


def test_package_type_checks(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "import lanepool\nimport numpy as np\n"
        "x = np.zeros((1, 1, 4, 4), np.float32)\n"
        "lanepool.average_pool(x, 2, strides=[2, 1], nan_rule='ignore')\n"
        "lanepool.average_pool(x, 2, nan_rule='maybe')  # type: ignore[arg-type]\n"
        "lanepool.max_pool(x, 2, stride=2)  # type: ignore[call-arg]\n"
        "lanepool.Plan('avg', x.shape)  # type: ignore[arg-type]\n"
    )
    config = pathlib.Path(__file__).resolve().parents[3] / "pyproject.toml"
    options = [f"--config-file={config}", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, str(FOLDER), str(user)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
