"""Imports stand at the top of a module, but for a few named doors, and in no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "urlextract"

DOORS = {
    "__init__.py": {"importlib"},  # the public names
    "__main__.py": {"urlextract.cli"},  # a mixed installation is told of before
    "cli/__init__.py": {"urlextract.cli.completing", "urlextract.cli.extracting", "urlextract.cli.program"},
    "cluster/driver.py": {"dask", "distributed", "urlextract.cluster.local"},  # extras
    "cluster/stores.py": {"fsspec.core"},
    "output/parquet.py": {"pyarrow.parquet"},
    "report/rendering.py": {"jinja2"},
}  # fmt: skip
"""The modules that are loaded on demand, by the file that does it."""

LOADERS = {
    "__init__.py",  # the public names
    "doors.py",  # what the rows of tables name: outputs, sources, schemes, commands
    "grammar/cells.py", "grammar/patterns.py",  # wcwidth and regex, which are slow to load
}  # fmt: skip
"""The files that load a module by its name."""

CIRCLES = {
    "__init__.py",  # the facade
    "conversion.py",  # what it needs a type of imports it
}  # fmt: skip
"""The files with imports for type checkers alone."""


def files() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_bytes())


def names_of(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {node.module or ""} if isinstance(node, ast.ImportFrom) else {each.name for each in node.names}


def test_imports_in_functions_are_doors() -> None:
    found: dict[str, set[str]] = {}
    for file, tree in files():
        functions = [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        for node in (each for function in functions for each in ast.walk(function)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found.setdefault(file, set()).update(names_of(node))
    assert found == DOORS


def test_modules_are_loaded_by_name_in_few_places() -> None:
    called = {
        file
        for file, tree in files()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")
    }
    assert called == LOADERS


def test_nothing_is_imported_for_type_checkers_alone() -> None:
    checked = {
        file
        for file, tree in files()
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    }
    assert checked == CIRCLES


def test_only_the_facade_lists_its_names() -> None:
    listing = {file for file, tree in files() if any("__all__" in ast.unparse(node) for node in tree.body
                                                     if isinstance(node, ast.Assign))}  # fmt: skip
    assert listing == {"__init__.py"}


def test_no_module_imports_itself_in_a_circle() -> None:
    trees = {"urlextract." + file.removesuffix(".py").replace("/", "."): tree for file, tree in files()}
    trees = {name.removesuffix(".__init__"): tree for name, tree in trees.items()}
    graph: dict[str, set[str]] = {}
    for name, tree in trees.items():
        graph[name] = set()
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                inner = {f"{node.module}.{each.name}" for each in node.names} & set(trees)
                graph[name] |= inner or ({node.module or ""} & set(trees))
    assert len(list(TopologicalSorter(graph).static_order())) == len(trees)
