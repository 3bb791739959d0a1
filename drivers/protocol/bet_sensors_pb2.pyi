from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Wager(_message.Message):
    __slots__ = ("seat", "spot", "present", "cents")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SPOT_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    CENTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    spot: int
    present: bool
    cents: int
    def __init__(self, seat: _Optional[int] = ..., spot: _Optional[int] = ..., present: bool = ..., cents: _Optional[int] = ...) -> None: ...

class SensorFault(_message.Message):
    __slots__ = ("seat", "spot", "on")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SPOT_FIELD_NUMBER: _ClassVar[int]
    ON_FIELD_NUMBER: _ClassVar[int]
    seat: int
    spot: int
    on: bool
    def __init__(self, seat: _Optional[int] = ..., spot: _Optional[int] = ..., on: bool = ...) -> None: ...

class Lamps(_message.Message):
    __slots__ = ("ttl_ms", "lamps")
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    LAMPS_FIELD_NUMBER: _ClassVar[int]
    ttl_ms: int
    lamps: bytes
    def __init__(self, ttl_ms: _Optional[int] = ..., lamps: _Optional[bytes] = ...) -> None: ...
