"""The rules of docstrings: public functions of core have one, with shapes and errors; overrides do not repeat it."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from scripts.draw_house import module_of, tree_of, within
from tests.test_house import SOURCES, Function, last_name, relative, said

#: A shape in words: axes in parentheses, or ``3 x 32 x 32``.
SHAPE = re.compile(r"\(\s*[\w.*+ -]{1,24}(?:,\s*[\w.*+ -]{0,24})+\)|\b\w+ x \w+\b")

#: Errors that no docstring has to name.
UNNAMED_ERRORS = {"NotImplementedError", "AssertionError"}


def public(tree: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Function]]:
    """Public functions of a module and public methods of its public classes, with the way to them."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from public(node, (*inside, node.name))
        elif "overload" not in {last_name(decorator) for decorator in node.decorator_list}:
            yield (*inside, node.name), node


class Documented(NamedTuple):
    """A public function, with its own docstring, the one that it inherits where it has none, and its class's."""

    place: str
    function: Function
    own: str
    inherited: str
    of_class: str


@cache
def documented() -> list[Documented]:
    """Every public function of core."""
    functions = []
    for path in SOURCES:
        if not within(module_of(path), "routescope"):
            continue
        module = importlib.import_module(module_of(path))
        for way, function in public(tree_of(path)):
            owner: Any = module
            for name in way[:-1]:
                owner = getattr(owner, name)
            docstring = ast.get_docstring(function) or ""
            inherited = "" if docstring else inspect.getdoc(getattr(owner, way[-1])) or ""
            of_class = (inspect.getdoc(owner) or "") if len(way) > 1 else ""
            location = f"{relative(path)}:{function.lineno} {'.'.join(way)}"
            functions.append(Documented(location, function, docstring, inherited, of_class))
    return functions


#: Names for units of networks: an override with only another of these words says nothing new.
UNIT_WORDS = {"blocks", "experts", "functions", "layers", "model", "modules", "network", "processor", "units"}


def words_of(docstring: str) -> set[str]:
    """Return the words of a docstring in lower case, without those for units."""
    return set(re.findall(r"\w+", docstring.lower())) - UNIT_WORDS


def test_overrides_do_not_repeat_docstrings() -> None:
    """An override without a docstring inherits one; its own has a word that the base class's lacks."""
    wrong = []
    for path in SOURCES:
        for way, function in public(tree_of(path)):
            docstring = ast.get_docstring(function)
            if docstring is None or len(way) < 2:
                continue
            owner: Any = importlib.import_module(module_of(path))
            for name in way[:-1]:
                owner = getattr(owner, name)
            overridden = next((vars(base)[way[-1]] for base in owner.__mro__[1:] if way[-1] in vars(base)), None)
            if words_of(docstring) <= words_of(getattr(overridden, "__doc__", None) or ""):
                wrong.append(f"{relative(path)}:{function.lineno} {'.'.join(way)}: {docstring}")
    assert not wrong, said(wrong)


def is_bare_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation is a tensor or an array without names of axes; contents of containers do not count."""
    if isinstance(annotation, ast.BinOp):
        return is_bare_tensor(annotation.left) or is_bare_tensor(annotation.right)
    return annotation is not None and last_name(annotation) in {"Tensor", "ndarray"}


def raised(node: ast.AST) -> Iterator[str]:
    """Names of the errors that a function raises itself."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(child, ast.Raise) and child.exc is not None:
            yield last_name(child.exc.func if isinstance(child.exc, ast.Call) else child.exc)
        yield from raised(child)


def test_public_functions_have_a_docstring_with_shapes_and_errors() -> None:
    """Their own, an inherited one, or their name in that of the class.

    Shapes of tensors are named by jaxtyping, or as axes in the docstring; errors that a function raises, by class.
    """
    wrong = []
    for place, function, own, inherited, of_class in documented():
        if not own and not inherited and not re.search(rf"\b{function.name}\b", of_class):
            wrong.append(place)
        given = function.args
        arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        annotations = [*(argument.annotation for argument in arguments), function.returns]
        if any(map(is_bare_tensor, annotations)) and not any(map(SHAPE.search, (own, inherited, of_class))):
            wrong.append(f"{place} names no shape")
        errors = {name for name in raised(function) if name[:1].isupper()} - UNNAMED_ERRORS
        unsaid = sorted(name for name in errors if name not in own and name not in of_class)
        if unsaid and not inherited:
            wrong.append(f"{place} raises {', '.join(unsaid)}")
    assert not wrong, said(wrong)
