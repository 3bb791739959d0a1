from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Key(_message.Message):
    __slots__ = ("action", "seat", "cents")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CENTS_FIELD_NUMBER: _ClassVar[int]
    action: str
    seat: int
    cents: int
    def __init__(self, action: _Optional[str] = ..., seat: _Optional[int] = ..., cents: _Optional[int] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("text", "seat")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    text: str
    seat: int
    def __init__(self, text: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class KeyLamps(_message.Message):
    __slots__ = ("mask",)
    MASK_FIELD_NUMBER: _ClassVar[int]
    mask: int
    def __init__(self, mask: _Optional[int] = ...) -> None: ...

class Buzz(_message.Message):
    __slots__ = ("ms",)
    MS_FIELD_NUMBER: _ClassVar[int]
    ms: int
    def __init__(self, ms: _Optional[int] = ...) -> None: ...
