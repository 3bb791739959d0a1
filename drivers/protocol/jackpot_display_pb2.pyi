from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Level(_message.Message):
    __slots__ = ("id", "cents", "state")
    ID_FIELD_NUMBER: _ClassVar[int]
    CENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    id: int
    cents: int
    state: int
    def __init__(self, id: _Optional[int] = ..., cents: _Optional[int] = ..., state: _Optional[int] = ...) -> None: ...

class Celebrate(_message.Message):
    __slots__ = ("id", "cents", "seconds")
    ID_FIELD_NUMBER: _ClassVar[int]
    CENTS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    id: int
    cents: int
    seconds: int
    def __init__(self, id: _Optional[int] = ..., cents: _Optional[int] = ..., seconds: _Optional[int] = ...) -> None: ...

class Text(_message.Message):
    __slots__ = ("line", "text")
    LINE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    line: int
    text: str
    def __init__(self, line: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...
