from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class ShufflerState(_message.Message):
    __slots__ = ("state", "percent")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    state: int
    percent: int
    def __init__(self, state: _Optional[int] = ..., percent: _Optional[int] = ...) -> None: ...

class DeckCheck(_message.Message):
    __slots__ = ("decks", "counts", "unreadable")
    DECKS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    decks: int
    counts: bytes
    unreadable: int
    def __init__(self, decks: _Optional[int] = ..., counts: _Optional[bytes] = ..., unreadable: _Optional[int] = ...) -> None: ...

class ShufflerJam(_message.Message):
    __slots__ = ("on",)
    ON_FIELD_NUMBER: _ClassVar[int]
    on: bool
    def __init__(self, on: bool = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("decks",)
    DECKS_FIELD_NUMBER: _ClassVar[int]
    decks: int
    def __init__(self, decks: _Optional[int] = ...) -> None: ...

class Eject(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Stop(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
