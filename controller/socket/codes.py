"""Error codes of the table socket: those of JSON-RPC 2.0, and statuses as in HTTP."""

from collections.abc import Mapping

from pydantic import ValidationError

from controller.access.errors import (
    AccessError,
    AccountsUnusable,
    HashingFailed,
    LockedOut,
    TokenRefused,
    TooOften,
    WrongSecret,
)
from controller.socket.error_codes import Code
from controller.table.errors import NotAllowed

__all__ = ["MEANINGS", "CallError", "Code", "as_call_error"]

ACCOUNTS_UNUSABLE = "the accounts cannot be used now: look at the alerts"


MEANINGS: Mapping[Code, str] = {
    Code.NOT_JSON: "the line is not JSON",
    Code.NOT_A_REQUEST: "the line is not a request, or is too long; then the connection ends",
    Code.UNKNOWN_METHOD: "there is no such method",
    Code.INVALID_PARAMS: "the parameters are not those of the method",
    Code.FAILED: "a fault of the core, which its log names",
    Code.NO_SESSION: "nobody is signed in with this token, or name and secret do not go together",
    Code.FORBIDDEN: "not for this role or this client; with `data.confirm`, the secret must be typed again",
    Code.REFUSED: "the table refuses, and says why",
    Code.LOCKED: "too many failures: locked for `data.seconds`",
    Code.TOO_OFTEN: "too many attempts: again in `data.seconds`",
    Code.UNAVAILABLE: "not now: the accounts cannot be used, the table is halted, or too many clients are "
    "connected",
}


class CallError(Exception):
    """The answer to a request that was not carried out. `text` is a sentence."""

    def __init__(self, code: Code, text: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.code, self.text, self.data = code, text, data


def as_call_error(error: Exception) -> CallError | None:
    """What the client is told of an error; None for a fault of the core."""
    if isinstance(error, CallError):
        return error
    if isinstance(error, ValidationError):
        return CallError(Code.INVALID_PARAMS, invalid_text(error))
    for kind, code in CODES.items():
        if isinstance(error, kind):
            seconds = getattr(error, "seconds", None)
            return CallError(code, _text(error), None if seconds is None else {"seconds": seconds})
    return None


def _text(error: Exception) -> str:
    """Without the path of the accounts, because the person may be a stranger. The alerts name it."""
    names_file = isinstance(error, AccountsUnusable) and not isinstance(error, HashingFailed)
    return ACCOUNTS_UNUSABLE if names_file else str(error)


CODES: Mapping[type[Exception], Code] = {
    NotAllowed: Code.REFUSED,
    WrongSecret: Code.NO_SESSION,
    TokenRefused: Code.NO_SESSION,
    LockedOut: Code.LOCKED,
    TooOften: Code.TOO_OFTEN,
    AccountsUnusable: Code.UNAVAILABLE,
    HashingFailed: Code.UNAVAILABLE,
    AccessError: Code.REFUSED,
}
"""The first class that fits counts."""

TEXTS = {"string_pattern_mismatch": "a line of text is needed, and nothing else"}
"""By type of error, where pydantic's own message helps nobody."""
MOST_FAULTS = 5


def invalid_text(error: ValidationError) -> str:
    """The faults, each with its place. Values are left out: one may be a secret."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:MOST_FAULTS]
    places = [".".join(map(str, one["loc"])) or "params" for one in faults]
    texts = [TEXTS.get(one["type"], one["msg"]) for one in faults]
    return "; ".join(f"{place}: {text}" for place, text in zip(places, texts, strict=True))
