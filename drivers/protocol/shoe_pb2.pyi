from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class CardDrawn(_message.Message):
    __slots__ = ("count", "card")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    count: int
    card: str
    def __init__(self, count: _Optional[int] = ..., card: _Optional[str] = ...) -> None: ...

class CardUnreadable(_message.Message):
    __slots__ = ("count",)
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class CardUnpermitted(_message.Message):
    __slots__ = ("count", "card")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    count: int
    card: str
    def __init__(self, count: _Optional[int] = ..., card: _Optional[str] = ...) -> None: ...

class CardInterrupted(_message.Message):
    __slots__ = ("count",)
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class CutCard(_message.Message):
    __slots__ = ("count",)
    COUNT_FIELD_NUMBER: _ClassVar[int]
    count: int
    def __init__(self, count: _Optional[int] = ...) -> None: ...

class Cover(_message.Message):
    __slots__ = ("open",)
    OPEN_FIELD_NUMBER: _ClassVar[int]
    open: bool
    def __init__(self, open: bool = ...) -> None: ...

class Loaded(_message.Message):
    __slots__ = ("decks",)
    DECKS_FIELD_NUMBER: _ClassVar[int]
    decks: int
    def __init__(self, decks: _Optional[int] = ...) -> None: ...

class Empty(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ShoeJam(_message.Message):
    __slots__ = ("on",)
    ON_FIELD_NUMBER: _ClassVar[int]
    on: bool
    def __init__(self, on: bool = ...) -> None: ...

class Permit(_message.Message):
    __slots__ = ("up_to",)
    UP_TO_FIELD_NUMBER: _ClassVar[int]
    up_to: int
    def __init__(self, up_to: _Optional[int] = ...) -> None: ...

class Lock(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
