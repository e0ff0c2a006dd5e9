"""How the package is laid out, and that what is said of it is true.

Imports stand at the top of a module, but for a few named doors, and in no circle. What CONTRIBUTING and the
docstrings of packages name is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "urlextract"
CONTRIBUTING = (ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")

DOORS = {
    "__init__.py": {"importlib"},  # the public names
    "__main__.py": {"urlextract.cli"},  # a mixed installation is told of before
    # What a run for URLs alone does not need, and takes long to load: records, parsers of schemes, libraries
    "pipeline/item_results.py": {
        "urlextract.message.content", "urlextract.message.fields", "urlextract.message.segments",
        "urlextract.pipeline.page_source", "urlextract.pipeline.texts",
    },
    "pipeline/options.py": {
        "difflib", "urlextract.pipeline.selecting", "urlextract.schemes.gateways",
    },
    "pipeline/urls.py": {"urlextract.pipeline.pages"},
    "output/outputs.py": {"urlextract.results"},
    "output/unique.py": {"urlextract.grammar.domains", "urlextract.schemes.url"},
    "cli/values.py": {"click.shell_completion", "difflib", "urlextract.schemes.gateways"},
    "cli/program.py": {"click.shell_completion", "importlib.metadata", "urlextract.cli.extracting"},
    "dates.py": {"calendar", "email.utils"},
    "grammar/domains.py": {"publicsuffixlist"},
    "message/fields.py": {"urllib.parse"},
    "output/escaping.py": {"urllib.parse"},
    "scanner/attributes.py": {"urllib.parse"},
    "sources/folders/git.py": {"subprocess"},
    "cli/__init__.py": {
        "difflib", "urlextract.cli.completing", "urlextract.cli.extracting", "urlextract.cli.program",
    },
    "cluster/running.py": {"distributed"},  # extras
    "cluster/stores.py": {"fsspec"},
    "run/engine.py": {"urlextract.run.sharing", "urlextract.sources.state"},  # multiprocessing, SQLite: slow
    "schemes/url.py": {"urlextract.schemes.schemes"},  # the types of the schemes, which derive from one there
    "message/charsets.py": {"email.errors", "email.header", "webencodings"},  # most mail needs none
    "message/content.py": {"email.message", "email.utils"},
    "output/parquet.py": {"pyarrow.parquet"},
    "report/rendering.py": {"jinja2"},
    "sources/checkpoint.py": {"hashlib", "tempfile"},
    "results.py": {"pydantic_core"},  # which calls the function
}  # fmt: skip
"""The modules that are loaded on demand, by the file that does it."""

CHECKED = {
    "pipeline/item_results.py", "pipeline/options.py", "pipeline/urls.py", "run/file_lines.py",
    "run/results.py", "sources/checkpoint.py", "sources/folders/git.py",
}  # fmt: skip
"""The files that import for type checkers alone what they load through a door."""

LOADERS = {
    "__init__.py",  # the public names
    "doors.py",  # what the rows of tables name: outputs, sources, commands
    "grammar/cells.py", "grammar/patterns.py",  # wcwidth and regex, which are slow to load
}  # fmt: skip
"""The files that load a module by its name."""


def files() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_bytes())


def names_of(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {node.module or ""} if isinstance(node, ast.ImportFrom) else {each.name for each in node.names}


def files_with(is_so: Callable[[ast.AST], bool]) -> set[str]:
    return {file for file, tree in files() if any(map(is_so, ast.walk(tree)))}


def test_imports_in_functions_are_doors() -> None:
    found: dict[str, set[str]] = {}
    for file, tree in files():
        kinds = ast.FunctionDef | ast.AsyncFunctionDef
        functions = [node for node in ast.walk(tree) if isinstance(node, kinds)]
        for node in (each for function in functions for each in ast.walk(function)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found.setdefault(file, set()).update(names_of(node))
    assert found == DOORS


def test_few_files_load_modules_by_name_import_for_type_checkers_alone_or_list_their_names() -> None:
    def loads(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")

    def checks(node: ast.AST) -> bool:
        return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)

    def lists(node: ast.AST) -> bool:
        return isinstance(node, ast.Assign) and "__all__" in ast.unparse(node)

    assert files_with(loads) == LOADERS
    assert files_with(checks) == CHECKED
    assert files_with(lists) == {"types.py", "urls.py"}


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


def modules_in(package: Path) -> set[str]:
    inner = {path.parent.name for path in package.glob("*/__init__.py")}
    return {path.stem for path in package.glob("*.py") if path.stem != "__init__"} | inner


@pytest.mark.parametrize("init", sorted(PACKAGE.glob("*/**/__init__.py")), ids=lambda path: path.parent.name)
def test_docstring_of_a_package_names_its_modules(init: Path) -> None:
    doc = ast.get_docstring(ast.parse(init.read_bytes())) or ""
    listed = re.findall(r"^- ``(\w+)``: ", doc, re.MULTILINE)
    assert sorted(listed) == sorted(modules_in(init.parent))
    assert set(re.findall(r"(?:[.;]\s+|\n\n)``([a-z_]+)``", doc)) <= set(listed)


def test_contributing_names_each_module_outside_of_packages() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} <= set(re.findall(r"`(\w+\.py)", CONTRIBUTING))


PACKAGES = re.findall(r"^- `(\w+)/`: ", CONTRIBUTING, re.MULTILINE)  # in the order of the data


def test_contributing_lists_the_packages_in_the_order_of_their_imports() -> None:
    assert {*PACKAGES, "grammar"} == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    for file, tree in files():
        room = file.partition("/")[0]
        if room not in PACKAGES:
            continue
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)):
            other = (node.module or "").removeprefix("urlextract.").partition(".")[0]
            if other in PACKAGES:
                assert PACKAGES.index(other) <= PACKAGES.index(room), (file, node.module)


def names_in(tree: ast.Module) -> set[str]:
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            }
    return found


@pytest.mark.parametrize("named", sorted(set(re.findall(r"[\w./-]+\.(?:py|toml)(?::\w+)?", CONTRIBUTING))))
def test_what_contributing_names_is_there(named: str) -> None:
    path, _, name = named.partition(":")
    [found] = [file for folder in (PACKAGE, ROOT / "tests", ROOT) if (file := folder / path).is_file()]
    if name:
        assert name in names_in(ast.parse(found.read_bytes()))
