"""A table with devices in every state, as a technician finds it."""

from dataclasses import replace

from controller.access.people import Person
from controller.table.record.views import ConditionView, DeviceView, TableView
from controller.telemetry.host import HostStatus
from tests.fixtures.table_views import BETTING

TIM = Person("Tim", "technician")
ANN = Person("Ann", "supervisor")
MORNING = 1_795_165_200.0
MACHINE = HostStatus(
    "0.1.0",
    MORNING,
    {"journal": 12_400_000_000, "mirror": 3_100_000_000},
    81_234,
    47_200_000,
    3,
    2,
    MORNING + 200 * 86_400,
)
GOOD = {
    "frames_in": 104_412,
    "frames_out": 98_877,
    "bytes_in": 2_412_000,
    "bytes_out": 1_889_123,
    "sessions": 2,
    "retransmissions": 31,
    "resets heartbeat": 1,
    "round_trip_us": 3_120,
    "heartbeat_age_us": 214_000,
}


def device(name: str, state: str = "running", detail: str = "") -> DeviceView:
    return DeviceView(
        name,
        name,
        f"/run/tableside/{name}",
        state,
        detail,
        f"TS-{name[:2].upper()}-0007",
        "1.4.2",
        insecure=False,
        counters=GOOD,
        hardware="rev C",
        condition=ConditionView("ready", 38, 0, 1021),
        since=MORNING + 4000,
    )


DEVICES = (
    device("shoe"),
    replace(device("shuffler"), insecure=True, condition=ConditionView("busy", 74, 3, 1021)),
    replace(
        device("sensors", "waiting", "sensors: port /run/tableside/sensors was unplugged"), condition=None
    ),
    replace(device("display"), counters={**GOOD, "crc": 2_150, "retransmissions": 2_400}),
    replace(
        device("console", "refused", "IDENTITY: TS-DI-0003 answers, TS-CO-0007 is configured"),
        condition=None,
        counters={"sessions": 1, "handshake": 4},
    ),
)
CALM: TableView = replace(BETTING, devices=DEVICES, selftest="466 files are those of the manifest 5f3c..")
TESTED = replace(
    CALM,
    testing="Tim since 2026-11-20 09:03 UTC",
    lamp_test="jackpot",
    echo=(
        "Key hit, seat 3",
        "Chips on seat 3, spot 1: 5.00",
        "Tim saw win: seat 3 spot 2 dark",
        "Chips on seat 3, spot 1: none",
        "Key close",
    ),
    suspended=("Test mode: Tim since 2026-11-20 09:03 UTC",),
    prompt="TEST, lamps: jackpot, 6 of 7. Any key: the next",
    display=("TEST 8888 8888", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz 0123456789"),
    keys=(),
)
