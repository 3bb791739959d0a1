from drivers.protocol import bet_sensors_pb2 as _bet_sensors_pb2
from drivers.protocol import common_pb2 as _common_pb2
from drivers.protocol import dealer_console_pb2 as _dealer_console_pb2
from drivers.protocol import jackpot_display_pb2 as _jackpot_display_pb2
from drivers.protocol import shoe_pb2 as _shoe_pb2
from drivers.protocol import shuffler_pb2 as _shuffler_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Frame(_message.Message):
    __slots__ = ("hello", "proof", "refuse", "no_session", "heartbeat", "event_commit", "bye", "event", "events_lost", "command", "result", "block", "block_wanted", "log", "sample")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    REFUSE_FIELD_NUMBER: _ClassVar[int]
    NO_SESSION_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    EVENT_COMMIT_FIELD_NUMBER: _ClassVar[int]
    BYE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_LOST_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    BLOCK_WANTED_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_FIELD_NUMBER: _ClassVar[int]
    hello: _common_pb2.Hello
    proof: _common_pb2.Proof
    refuse: _common_pb2.Refuse
    no_session: _common_pb2.NoSession
    heartbeat: _common_pb2.Heartbeat
    event_commit: _common_pb2.EventCommit
    bye: _common_pb2.Bye
    event: Event
    events_lost: _common_pb2.EventsLost
    command: Command
    result: _common_pb2.Result
    block: _common_pb2.Block
    block_wanted: _common_pb2.BlockWanted
    log: _common_pb2.Log
    sample: _common_pb2.Sample
    def __init__(self, hello: _Optional[_Union[_common_pb2.Hello, _Mapping]] = ..., proof: _Optional[_Union[_common_pb2.Proof, _Mapping]] = ..., refuse: _Optional[_Union[_common_pb2.Refuse, _Mapping]] = ..., no_session: _Optional[_Union[_common_pb2.NoSession, _Mapping]] = ..., heartbeat: _Optional[_Union[_common_pb2.Heartbeat, _Mapping]] = ..., event_commit: _Optional[_Union[_common_pb2.EventCommit, _Mapping]] = ..., bye: _Optional[_Union[_common_pb2.Bye, _Mapping]] = ..., event: _Optional[_Union[Event, _Mapping]] = ..., events_lost: _Optional[_Union[_common_pb2.EventsLost, _Mapping]] = ..., command: _Optional[_Union[Command, _Mapping]] = ..., result: _Optional[_Union[_common_pb2.Result, _Mapping]] = ..., block: _Optional[_Union[_common_pb2.Block, _Mapping]] = ..., block_wanted: _Optional[_Union[_common_pb2.BlockWanted, _Mapping]] = ..., log: _Optional[_Union[_common_pb2.Log, _Mapping]] = ..., sample: _Optional[_Union[_common_pb2.Sample, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("number", "uptime_us", "boot", "booted", "tamper", "fault", "door", "card_drawn", "card_unreadable", "card_unpermitted", "card_interrupted", "cut_card", "cover", "loaded", "empty", "shoe_jam", "shuffler_state", "deck_check", "shuffler_jam", "wager", "sensor_fault", "key")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    UPTIME_US_FIELD_NUMBER: _ClassVar[int]
    BOOT_FIELD_NUMBER: _ClassVar[int]
    BOOTED_FIELD_NUMBER: _ClassVar[int]
    TAMPER_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    DOOR_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    CARD_UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    CARD_UNPERMITTED_FIELD_NUMBER: _ClassVar[int]
    CARD_INTERRUPTED_FIELD_NUMBER: _ClassVar[int]
    CUT_CARD_FIELD_NUMBER: _ClassVar[int]
    COVER_FIELD_NUMBER: _ClassVar[int]
    LOADED_FIELD_NUMBER: _ClassVar[int]
    EMPTY_FIELD_NUMBER: _ClassVar[int]
    SHOE_JAM_FIELD_NUMBER: _ClassVar[int]
    SHUFFLER_STATE_FIELD_NUMBER: _ClassVar[int]
    DECK_CHECK_FIELD_NUMBER: _ClassVar[int]
    SHUFFLER_JAM_FIELD_NUMBER: _ClassVar[int]
    WAGER_FIELD_NUMBER: _ClassVar[int]
    SENSOR_FAULT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    number: int
    uptime_us: int
    boot: bytes
    booted: _common_pb2.Booted
    tamper: _common_pb2.Tamper
    fault: _common_pb2.Fault
    door: _common_pb2.Door
    card_drawn: _shoe_pb2.CardDrawn
    card_unreadable: _shoe_pb2.CardUnreadable
    card_unpermitted: _shoe_pb2.CardUnpermitted
    card_interrupted: _shoe_pb2.CardInterrupted
    cut_card: _shoe_pb2.CutCard
    cover: _shoe_pb2.Cover
    loaded: _shoe_pb2.Loaded
    empty: _shoe_pb2.Empty
    shoe_jam: _shoe_pb2.ShoeJam
    shuffler_state: _shuffler_pb2.ShufflerState
    deck_check: _shuffler_pb2.DeckCheck
    shuffler_jam: _shuffler_pb2.ShufflerJam
    wager: _bet_sensors_pb2.Wager
    sensor_fault: _bet_sensors_pb2.SensorFault
    key: _dealer_console_pb2.Key
    def __init__(self, number: _Optional[int] = ..., uptime_us: _Optional[int] = ..., boot: _Optional[bytes] = ..., booted: _Optional[_Union[_common_pb2.Booted, _Mapping]] = ..., tamper: _Optional[_Union[_common_pb2.Tamper, _Mapping]] = ..., fault: _Optional[_Union[_common_pb2.Fault, _Mapping]] = ..., door: _Optional[_Union[_common_pb2.Door, _Mapping]] = ..., card_drawn: _Optional[_Union[_shoe_pb2.CardDrawn, _Mapping]] = ..., card_unreadable: _Optional[_Union[_shoe_pb2.CardUnreadable, _Mapping]] = ..., card_unpermitted: _Optional[_Union[_shoe_pb2.CardUnpermitted, _Mapping]] = ..., card_interrupted: _Optional[_Union[_shoe_pb2.CardInterrupted, _Mapping]] = ..., cut_card: _Optional[_Union[_shoe_pb2.CutCard, _Mapping]] = ..., cover: _Optional[_Union[_shoe_pb2.Cover, _Mapping]] = ..., loaded: _Optional[_Union[_shoe_pb2.Loaded, _Mapping]] = ..., empty: _Optional[_Union[_shoe_pb2.Empty, _Mapping]] = ..., shoe_jam: _Optional[_Union[_shoe_pb2.ShoeJam, _Mapping]] = ..., shuffler_state: _Optional[_Union[_shuffler_pb2.ShufflerState, _Mapping]] = ..., deck_check: _Optional[_Union[_shuffler_pb2.DeckCheck, _Mapping]] = ..., shuffler_jam: _Optional[_Union[_shuffler_pb2.ShufflerJam, _Mapping]] = ..., wager: _Optional[_Union[_bet_sensors_pb2.Wager, _Mapping]] = ..., sensor_fault: _Optional[_Union[_bet_sensors_pb2.SensorFault, _Mapping]] = ..., key: _Optional[_Union[_dealer_console_pb2.Key, _Mapping]] = ...) -> None: ...

class Command(_message.Message):
    __slots__ = ("key", "resume", "arm", "disarm", "recall", "update_begin", "update_apply", "update_confirm", "maker_key", "permit", "lock", "start", "eject", "stop", "lamps", "level", "celebrate", "text", "prompt", "key_lamps", "buzz")
    KEY_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    DISARM_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_BEGIN_FIELD_NUMBER: _ClassVar[int]
    UPDATE_APPLY_FIELD_NUMBER: _ClassVar[int]
    UPDATE_CONFIRM_FIELD_NUMBER: _ClassVar[int]
    MAKER_KEY_FIELD_NUMBER: _ClassVar[int]
    PERMIT_FIELD_NUMBER: _ClassVar[int]
    LOCK_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    EJECT_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    LAMPS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    CELEBRATE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    KEY_LAMPS_FIELD_NUMBER: _ClassVar[int]
    BUZZ_FIELD_NUMBER: _ClassVar[int]
    key: int
    resume: _common_pb2.Resume
    arm: _common_pb2.Arm
    disarm: _common_pb2.Disarm
    recall: _common_pb2.Recall
    update_begin: _common_pb2.UpdateBegin
    update_apply: _common_pb2.UpdateApply
    update_confirm: _common_pb2.UpdateConfirm
    maker_key: _common_pb2.MakerKey
    permit: _shoe_pb2.Permit
    lock: _shoe_pb2.Lock
    start: _shuffler_pb2.Start
    eject: _shuffler_pb2.Eject
    stop: _shuffler_pb2.Stop
    lamps: _bet_sensors_pb2.Lamps
    level: _jackpot_display_pb2.Level
    celebrate: _jackpot_display_pb2.Celebrate
    text: _jackpot_display_pb2.Text
    prompt: _dealer_console_pb2.Prompt
    key_lamps: _dealer_console_pb2.KeyLamps
    buzz: _dealer_console_pb2.Buzz
    def __init__(self, key: _Optional[int] = ..., resume: _Optional[_Union[_common_pb2.Resume, _Mapping]] = ..., arm: _Optional[_Union[_common_pb2.Arm, _Mapping]] = ..., disarm: _Optional[_Union[_common_pb2.Disarm, _Mapping]] = ..., recall: _Optional[_Union[_common_pb2.Recall, _Mapping]] = ..., update_begin: _Optional[_Union[_common_pb2.UpdateBegin, _Mapping]] = ..., update_apply: _Optional[_Union[_common_pb2.UpdateApply, _Mapping]] = ..., update_confirm: _Optional[_Union[_common_pb2.UpdateConfirm, _Mapping]] = ..., maker_key: _Optional[_Union[_common_pb2.MakerKey, _Mapping]] = ..., permit: _Optional[_Union[_shoe_pb2.Permit, _Mapping]] = ..., lock: _Optional[_Union[_shoe_pb2.Lock, _Mapping]] = ..., start: _Optional[_Union[_shuffler_pb2.Start, _Mapping]] = ..., eject: _Optional[_Union[_shuffler_pb2.Eject, _Mapping]] = ..., stop: _Optional[_Union[_shuffler_pb2.Stop, _Mapping]] = ..., lamps: _Optional[_Union[_bet_sensors_pb2.Lamps, _Mapping]] = ..., level: _Optional[_Union[_jackpot_display_pb2.Level, _Mapping]] = ..., celebrate: _Optional[_Union[_jackpot_display_pb2.Celebrate, _Mapping]] = ..., text: _Optional[_Union[_jackpot_display_pb2.Text, _Mapping]] = ..., prompt: _Optional[_Union[_dealer_console_pb2.Prompt, _Mapping]] = ..., key_lamps: _Optional[_Union[_dealer_console_pb2.KeyLamps, _Mapping]] = ..., buzz: _Optional[_Union[_dealer_console_pb2.Buzz, _Mapping]] = ...) -> None: ...
