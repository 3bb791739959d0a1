import pytest

from drivers.messages import Lamps, SensorFault, Wager
from drivers.protocol.codes import LAMPS, Lamp, Mode, Status
from drivers.sim.bet_sensors import DARK, SensorsBody
from drivers.sim.body import NEVER, TEMPOS
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from tests.drivers.sim.bench import Bench, ask, run

OPEN = bytes([Lamp.OPEN] * LAMPS)


class Sensors(SensorsBody):
    def __init__(self, around: PhysicalState | None = None, speed: str = "human") -> None:
        self.bench = Bench()
        super().__init__(self.bench, around or PhysicalState(), 7, TEMPOS[speed])
        self.boot(0.0)

    def lamps(self) -> list[list[int]]:
        return [notice["lamps"] for notice in self.bench.said("lamps")]


@pytest.fixture
def sensors() -> Sensors:
    return Sensors()


def test_chips_are_reported_once_whatever_the_contact_does(sensors: Sensors) -> None:
    toggles = 0
    ask(sensors, 1.0, "put", seat=3, spot=1, cents=500)
    while sensors.deadline < NEVER:
        toggles += 1
        sensors.tick(sensors.deadline)
    assert toggles > 5
    assert sensors.bench.taken() == [Wager(3, 1, True, 500)]
    ask(sensors, 2.0, "take", seat=3, spot=1)
    run(sensors, 2.0, 3.0)
    assert sensors.bench.taken() == [Wager(3, 1, False, 0)]


def test_nothing_is_reported_before_the_contact_is_quiet(sensors: Sensors) -> None:
    ask(sensors, 1.0, "put", seat=1)
    run(sensors, 1.0, 1.0 + TEMPOS["human"].settle - 0.001)
    assert sensors.bench.taken() == []
    run(sensors, 1.0, 1.0 + TEMPOS["human"].bounce + TEMPOS["human"].settle)
    assert sensors.bench.taken() == [Wager(1, 0, True, 0)]


def test_chips_that_are_gone_at_once_were_never_there(sensors: Sensors) -> None:
    ask(sensors, 1.0, "put", seat=1, cents=500)
    run(sensors, 1.0, 1.01)
    ask(sensors, 1.01, "take", seat=1)
    run(sensors, 1.01, 2.0)
    assert sensors.bench.taken() == []


def test_a_changed_stake_is_one_event_and_the_same_stake_none(sensors: Sensors) -> None:
    for cents in (500, 700, 700):
        ask(sensors, 1.0, "put", seat=9, spot=5, cents=cents)
        run(sensors, 1.0, 2.0)
    assert sensors.bench.taken() == [Wager(9, 5, True, 500), Wager(9, 5, True, 700)]


def test_a_clear_takes_every_chip() -> None:
    sensors = Sensors(speed="max")
    for seat in (1, 2):
        ask(sensors, 1.0, "put", seat=seat, cents=100)
    run(sensors, 1.0, 1.0)
    sensors.bench.taken()
    ask(sensors, 1.0, "clear")
    run(sensors, 1.0, 1.0)
    assert sensors.bench.taken() == [Wager(1, 0, False, 0), Wager(2, 0, False, 0)]


@pytest.mark.parametrize("place", [{"seat": 0}, {"seat": 10}, {"seat": 1, "spot": 6}])
def test_spots_that_do_not_exist_are_refused(sensors: Sensors, place: dict[str, int]) -> None:
    with pytest.raises(RequestError, match="must be a whole number from"):
        ask(sensors, 0.0, "put", **place)


def test_a_blind_sensor_reports_what_it_missed(sensors: Sensors) -> None:
    ask(sensors, 0.0, "fail", seat=2, spot=0, on=True)
    ask(sensors, 0.0, "put", seat=2, cents=500)
    run(sensors, 0.0, 5.0)
    assert sensors.mode is Mode.FAULT
    assert sensors.bench.taken() == [SensorFault(2, 0, True)]
    ask(sensors, 5.0, "fail", seat=2, spot=0, on=False)
    run(sensors, 5.0, 6.0)
    assert sensors.bench.taken() == [SensorFault(2, 0, False), Wager(2, 0, True, 500)]


def test_chips_put_and_taken_without_power_are_reported_at_boot() -> None:
    around = PhysicalState()
    sensors = Sensors(around)
    for seat in (1, 2):
        ask(sensors, 0.0, "put", seat=seat, cents=100)
    run(sensors, 0.0, 1.0)
    ask(sensors, 1.0, "take", seat=1)
    ask(sensors, 1.0, "put", seat=3, cents=300)  # and the power goes before they settle
    again = Sensors(around)
    run(again, 0.0, 1.0)
    assert again.bench.taken() == [Wager(1, 0, False, 0), Wager(3, 0, True, 300)]


def test_lamps_go_dark_when_their_lease_ends(sensors: Sensors) -> None:
    assert sensors.command(Lamps(2000, OPEN), 10.0) == (Status.DONE, "")
    sensors.command(Lamps(2000, OPEN), 11.0)
    run(sensors, 11.0, 12.9)
    assert sensors.lamps() == [list(OPEN)]
    run(sensors, 12.9, 13.0)
    assert sensors.lamps() == [list(OPEN), list(DARK)]
    assert [notice["safe"] for notice in sensors.bench.said("lamps")] == [False, True]


def test_the_safe_state_is_no_bets(sensors: Sensors) -> None:
    sensors.command(Lamps(2000, OPEN), 10.0)
    sensors.safe(10.5)
    assert sensors.lamps()[-1] == [Lamp.NO_BETS] * LAMPS
    assert sensors.deadline == NEVER


def test_all_chips_are_visible_at_once_and_to_newcomers(sensors: Sensors) -> None:
    ask(sensors, 0.0, "put", seat=1, cents=500)
    ask(sensors, 0.0, "put", seat=1, spot=1)
    ask(sensors, 0.0, "take", seat=1)
    stakes = [notice["stakes"][:2] for notice in sensors.bench.said("stakes")]
    assert stakes == [[500, None], [500, 0], [None, 0]]
    ask(sensors, 0.0, "clear")
    assert sensors.look()[-1] == {"notice": "stakes", "stakes": [None] * LAMPS}
