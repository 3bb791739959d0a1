"""The tables of the table socket: methods, acts and error codes, from the tables that the program uses."""

from collections.abc import Iterable
from typing import cast, get_args

from controller.pages.markdown import table
from controller.property.commands import REPLIES
from controller.socket.acts import ACTS
from controller.socket.codes import MEANINGS
from controller.socket.messages import Act
from controller.socket.methods import METHODS, SIGNED
from controller.socket.texts import RequestModel


def methods() -> str:
    rows = (
        (f"`{name}`", _names(method.kinds), _fields(method.params), method.summary)
        for name, method in (*METHODS.items(), *SIGNED.items())
    )
    return table(("method", "clients", "parameters", "meaning"), rows)


def acts() -> str:
    rows = (
        (f"`{name}`", _names(kind.roles), _names(kind.viewers) or "none", _fields(_body(name)))
        for name, kind in ACTS.items()
    )
    return table(("act", "roles", "preview for", "fields"), rows)


def codes() -> str:
    return table(("code", "meaning"), ((str(int(code)), text) for code, text in MEANINGS.items()))


def replies() -> str:
    return table(("code", "meaning"), ((f"`{code}`", text) for code, text in REPLIES.items()))


def _body(name: str) -> type[RequestModel]:
    """The model of an act, whose annotation is `Model | None`."""
    hint = Act.model_fields[name].annotation
    return cast("type[RequestModel]", next(kind for kind in get_args(hint) if kind is not type(None)))


def _fields(model: type[RequestModel]) -> str:
    """The fields in their order; those that may be left out come in brackets."""
    names = ((field.alias or name, field.is_required()) for name, field in model.model_fields.items())
    return ", ".join(f"`{name}`" if needed else f"[`{name}`]" for name, needed in names) or "none"


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
