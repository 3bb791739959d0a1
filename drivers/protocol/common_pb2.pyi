from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Hello(_message.Message):
    __slots__ = ("side", "major", "minor", "schema", "seal", "nonce", "echo", "boot", "id", "device_class", "hardware", "firmware", "reset", "log", "oldest", "newest", "committed", "last_key", "cards", "test_slot")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    SEAL_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    ECHO_FIELD_NUMBER: _ClassVar[int]
    BOOT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_CLASS_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    FIRMWARE_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    OLDEST_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    COMMITTED_FIELD_NUMBER: _ClassVar[int]
    LAST_KEY_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TEST_SLOT_FIELD_NUMBER: _ClassVar[int]
    side: int
    major: int
    minor: int
    schema: bytes
    seal: int
    nonce: bytes
    echo: bytes
    boot: bytes
    id: str
    device_class: int
    hardware: str
    firmware: str
    reset: int
    log: bytes
    oldest: int
    newest: int
    committed: int
    last_key: int
    cards: int
    test_slot: bool
    def __init__(self, side: _Optional[int] = ..., major: _Optional[int] = ..., minor: _Optional[int] = ..., schema: _Optional[bytes] = ..., seal: _Optional[int] = ..., nonce: _Optional[bytes] = ..., echo: _Optional[bytes] = ..., boot: _Optional[bytes] = ..., id: _Optional[str] = ..., device_class: _Optional[int] = ..., hardware: _Optional[str] = ..., firmware: _Optional[str] = ..., reset: _Optional[int] = ..., log: _Optional[bytes] = ..., oldest: _Optional[int] = ..., newest: _Optional[int] = ..., committed: _Optional[int] = ..., last_key: _Optional[int] = ..., cards: _Optional[int] = ..., test_slot: bool = ...) -> None: ...

class Proof(_message.Message):
    __slots__ = ("side", "transcript", "mac", "share")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_FIELD_NUMBER: _ClassVar[int]
    MAC_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    side: int
    transcript: bytes
    mac: bytes
    share: bytes
    def __init__(self, side: _Optional[int] = ..., transcript: _Optional[bytes] = ..., mac: _Optional[bytes] = ..., share: _Optional[bytes] = ...) -> None: ...

class Refuse(_message.Message):
    __slots__ = ("echo", "reason", "text")
    ECHO_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    echo: bytes
    reason: int
    text: str
    def __init__(self, echo: _Optional[bytes] = ..., reason: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class NoSession(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Bye(_message.Message):
    __slots__ = ("reason", "text")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    reason: int
    text: str
    def __init__(self, reason: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class EventCommit(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("now_us", "echo_us", "held_us", "committed", "newest", "free", "armed", "mode", "celsius", "errors", "cards")
    NOW_US_FIELD_NUMBER: _ClassVar[int]
    ECHO_US_FIELD_NUMBER: _ClassVar[int]
    HELD_US_FIELD_NUMBER: _ClassVar[int]
    COMMITTED_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    FREE_FIELD_NUMBER: _ClassVar[int]
    ARMED_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    CELSIUS_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    now_us: int
    echo_us: int
    held_us: int
    committed: int
    newest: int
    free: int
    armed: bool
    mode: int
    celsius: int
    errors: int
    cards: int
    def __init__(self, now_us: _Optional[int] = ..., echo_us: _Optional[int] = ..., held_us: _Optional[int] = ..., committed: _Optional[int] = ..., newest: _Optional[int] = ..., free: _Optional[int] = ..., armed: bool = ..., mode: _Optional[int] = ..., celsius: _Optional[int] = ..., errors: _Optional[int] = ..., cards: _Optional[int] = ...) -> None: ...

class EventsLost(_message.Message):
    __slots__ = ("first", "last")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    first: int
    last: int
    def __init__(self, first: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("key", "status", "text")
    KEY_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    key: int
    status: int
    text: str
    def __init__(self, key: _Optional[int] = ..., status: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("offset", "data")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    offset: int
    data: bytes
    def __init__(self, offset: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...

class BlockWanted(_message.Message):
    __slots__ = ("offset",)
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    offset: int
    def __init__(self, offset: _Optional[int] = ...) -> None: ...

class Log(_message.Message):
    __slots__ = ("uptime_us", "level", "text")
    UPTIME_US_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    uptime_us: int
    level: int
    text: str
    def __init__(self, uptime_us: _Optional[int] = ..., level: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Sample(_message.Message):
    __slots__ = ("what", "value")
    WHAT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    what: int
    value: int
    def __init__(self, what: _Optional[int] = ..., value: _Optional[int] = ...) -> None: ...

class Booted(_message.Message):
    __slots__ = ("reset",)
    RESET_FIELD_NUMBER: _ClassVar[int]
    reset: int
    def __init__(self, reset: _Optional[int] = ...) -> None: ...

class Tamper(_message.Message):
    __slots__ = ("what", "count")
    WHAT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    what: int
    count: int
    def __init__(self, what: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("code", "on", "text")
    CODE_FIELD_NUMBER: _ClassVar[int]
    ON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    code: int
    on: bool
    text: str
    def __init__(self, code: _Optional[int] = ..., on: bool = ..., text: _Optional[str] = ...) -> None: ...

class Door(_message.Message):
    __slots__ = ("which", "open")
    WHICH_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    which: int
    open: bool
    def __init__(self, which: _Optional[int] = ..., open: bool = ...) -> None: ...

class Resume(_message.Message):
    __slots__ = ("next",)
    NEXT_FIELD_NUMBER: _ClassVar[int]
    next: int
    def __init__(self, next: _Optional[int] = ...) -> None: ...

class Arm(_message.Message):
    __slots__ = ("seen",)
    SEEN_FIELD_NUMBER: _ClassVar[int]
    seen: int
    def __init__(self, seen: _Optional[int] = ...) -> None: ...

class Disarm(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Recall(_message.Message):
    __slots__ = ("old_key",)
    OLD_KEY_FIELD_NUMBER: _ClassVar[int]
    old_key: int
    def __init__(self, old_key: _Optional[int] = ...) -> None: ...

class UpdateBegin(_message.Message):
    __slots__ = ("version", "size", "sha256", "signature")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    version: int
    size: int
    sha256: bytes
    signature: bytes
    def __init__(self, version: _Optional[int] = ..., size: _Optional[int] = ..., sha256: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class UpdateApply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UpdateConfirm(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MakerKey(_message.Message):
    __slots__ = ("generation", "key", "signature")
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    generation: int
    key: bytes
    signature: bytes
    def __init__(self, generation: _Optional[int] = ..., key: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...
