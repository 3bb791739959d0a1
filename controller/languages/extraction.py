"""Finds the texts in Python modules that people read: a method of Babel's extraction (`make texts`).

A text is a string or an f-string with several words, or with one word that begins with a capital. An f-string
becomes a template with places named after its expressions: f"Claim {claim.number}" is "Claim {number}". The
name of a place for an amount of money says so: f"in all {text(wagered)}" is "in all {amount_wagered}".
Docstrings, types, log messages, assertions, descriptions of the API and what is not English are left out.
The option `only` of a pattern in babel.cfg names the functions and constants whose texts count; the option
`argument`, as "AlertKind 0", names a class and the place of the one argument of its calls that counts.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import IO

from controller.languages.places import AMOUNT, is_amount

Found = tuple[int, str, str | tuple[str, str], list[str]]
"""Line, function, text (for ngettext: singular and plural) and comments, as Babel wants them."""
LOG_METHODS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
NOT_FOR_PEOPLE = frozenset({"description", "summary", "responses", "pattern"})
"""Keywords of calls whose values describe the API, or are patterns."""
_WRITERS = frozenset({"text", "money"})
"""What the functions of controller/money.py that write an amount are called where they are imported."""
_PLAIN = frozenset({AMOUNT, "cents", "value"})
_PLACE = re.compile(r"\{[\w: ]*\}")
_SEVERAL_WORDS = re.compile(r"[A-Za-z]\S* \S*[A-Za-z{]|\}\S* \S*[A-Za-z]")
_ONE_WORD = re.compile(r"[A-Z][a-z]+")
_NOT_A_SENTENCE = re.compile(
    r"[\\<>|\n]|^[/.#]|://|^tuple\[|\(\?|^(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|GET|POST)\b|%[a-zA-Z]|=[{\"]"
)


def extract_texts(
    file: IO[bytes],
    _keywords: object,
    _tags: object,
    options: Mapping[str, str],
) -> Iterator[Found]:
    """Yields the texts of a module."""
    tree: ast.AST = ast.parse(file.read())
    if only := options.get("only", "").split():
        tree = _parts_of(tree, frozenset(only))
    skipped = {*_skipped(tree), *_other_arguments(tree, *options.get("argument", "").split())}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Call) and (plural := _plural(node)):
            yield node.lineno, "ngettext", plural, []
        elif isinstance(node, ast.expr) and (text := _text(node)):
            yield node.lineno, "gettext", text, []


def extract_words(
    file: IO[bytes],
    _keywords: object,
    _tags: object,
    options: Mapping[str, str],  # noqa: ARG001 - Babel passes it by name
) -> Iterator[Found]:
    """Yields each element of the tuples of a module."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Tuple):
            yield from ((one.lineno, "gettext", ast.literal_eval(one), []) for one in node.elts)


def _parts_of(tree: ast.AST, names: frozenset[str]) -> ast.Module:
    """The functions and constants with these names."""
    return ast.Module(
        [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _is_named(node, names)], []
    )


def _is_named(node: ast.stmt, names: frozenset[str]) -> bool:
    match node:
        case (
            ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name))
        ):
            return name in names
        case _:
            return False


def _text(node: ast.AST) -> str:
    """The text of a node, as a template; empty if it is none for people."""
    if isinstance(node, ast.JoinedStr):
        return template if _is_sentence(template := _template(node)) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value.strip(" ").replace("{}", "{value}")
        return text if _ONE_WORD.fullmatch(text) or _is_sentence(text) else ""
    return ""


def _is_sentence(text: str) -> bool:
    own = _PLACE.sub("{}", text)
    return (
        sum(map(str.isalpha, own)) > 1
        and bool(_SEVERAL_WORDS.search(own))
        and not _NOT_A_SENTENCE.search(own)
    )


def _template(node: ast.JoinedStr) -> str:
    parts: list[str] = []
    names: set[str] = set()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            name = _free_name(_place_name(part.value), names)
            names.add(name)
            parts.append(f"{{{name}}}")
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    return "".join(parts).strip(" ")


def _place_name(value: ast.AST) -> str:
    """The last name of an expression: `number` for claim.number, `amount_wagered` for text(books.wagered)."""
    match value:
        case ast.Call(func=writer, args=[first, *_]) if _writes_amount(writer):
            name = _place_name(first)
            return AMOUNT if name in _PLAIN else name if is_amount(name) else f"{AMOUNT}_{name}"
        case ast.Call(args=[first, *_]):
            return _place_name(first)
        case ast.Call(func=called):
            return _place_name(called)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name.strip("_")
        case ast.Subscript(value=inner):
            return _place_name(inner)
        case _:
            return "value"


def _writes_amount(function: ast.expr) -> bool:
    """Whether a function writes an amount: of controller/money.py, of a currency, or with such a name."""
    match function:
        case ast.Name(id=name):
            return name in _WRITERS or is_amount(name)
        case ast.Attribute(value=ast.Attribute(attr=of) | ast.Name(id=of), attr="text"):
            return of in {"money", "currency"}
        case _:
            return False


def _free_name(name: str, taken: set[str]) -> str:
    numbered = (f"{name}{number}" for number in range(2, len(taken) + 2))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def _plural(call: ast.Call) -> tuple[str, str] | None:
    """Singular and plural of a call of ngettext."""
    if not isinstance(call.func, ast.Name) or call.func.id != "ngettext":
        return None
    one, many = map(ast.literal_eval, call.args[:2])
    return one, many


def _skipped(tree: ast.AST) -> Iterator[int]:
    """The nodes whose strings are not for people, by identity."""
    for node in ast.walk(tree):
        for part in _without_texts(node):
            yield from map(id, ast.walk(part))


def _other_arguments(tree: ast.AST, called: str = "", place: str = "") -> Iterator[int]:
    """The nodes in calls of a class but those of the argument at a place, and keys, by identity."""
    for node in ast.walk(tree) if called else ():
        if isinstance(node, ast.Dict):
            yield from map(id, node.keys)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == called:
            others = (one for number, one in enumerate(node.args) if number != int(place))
            yield from (id(inner) for one in others for inner in ast.walk(one))


def _without_texts(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Subscript(value=ast.Name(id="Literal")):
            yield node
        case ast.JoinedStr(values=parts):
            yield from parts
        case ast.Call(func=ast.Attribute(attr=method)) if method in LOG_METHODS:
            yield from node.args
        case ast.Call(func=ast.Name(id="ngettext" | "AssertionError"), args=args):
            yield from args
        case ast.Call(func=ast.Name(id="cast"), args=[type_, *_]):
            yield type_
        case ast.keyword(arg=name) if name in NOT_FOR_PEOPLE:
            yield node.value
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.FunctionDef(returns=ast.expr() as returned):
            yield returned
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            yield node
