"""The codes of errors on the table socket: those of JSON-RPC 2.0, and statuses as in HTTP."""

from enum import IntEnum


class Code(IntEnum):
    """The codes that a client can get."""

    NOT_JSON = -32700
    NOT_A_REQUEST = -32600
    UNKNOWN_METHOD = -32601
    INVALID_PARAMS = -32602
    FAILED = -32603
    NO_SESSION = 401
    FORBIDDEN = 403
    REFUSED = 409
    LOCKED = 423
    TOO_OFTEN = 429
    UNAVAILABLE = 503
