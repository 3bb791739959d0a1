"""Results have room on their way to the host, whatever the host sends or leaves unacknowledged."""

from drivers.link.codec import command_message
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.messages import Buzz, Cover
from drivers.protocol.codes import Channel, DeviceClass
from tests.drivers.link.bench import Bench


def test_one_result_for_each_command_in_order_however_many_come() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    before = len(bench.results())
    for _ in range(4):
        for key in range(60):
            bench.host.send(Channel.COMMANDS, command_message(key, Buzz(key)))
        bench.exchange(1)
    assert [result.key for result in bench.results()][before:] == list(range(60)) * 4


def test_a_host_that_ignores_credit_cannot_overrun_the_device() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    first, heard = 2, 3  # Resume and Arm went down, two results and an event came up
    flood = b"".join(
        encode(WireFrame(0, 2, first + n, heard, 0, command_message(n, Buzz(1)).SerializeToString()))
        for n in range(500)
    )
    bench.device.feed(flood, bench.now)
    assert bench.device.counters.credit > 0
    assert len(bench.body.done) < 100


def test_events_that_nobody_acknowledges_leave_room_for_results() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    for _ in range(2):  # the second time the window is full
        for _ in range(100):
            bench.device.record(Cover(True), bench.now)
        bench.device.take(bench.now)  # both are lost
    for key in range(8):
        bench.host.send(Channel.COMMANDS, command_message(key, Buzz(1)))
    bench.device.feed(bench.host.take(bench.now), bench.now)
    bench.exchange(3)
    assert [result.key for result in bench.results()][1:] == list(range(8))


def test_results_that_nobody_acknowledges_take_the_credit_and_it_comes_back_at_once() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    sequence, heard, credit = 2, 3, 8
    while credit:
        for _ in range(credit):
            said = command_message(sequence, Buzz(1)).SerializeToString()
            bench.device.feed(encode(WireFrame(0, 2, sequence, heard, 8, said)), bench.now)
            sequence += 1
        credit = last_frame(bench).credit
    bench.device.feed(encode(WireFrame(0, 0, 0, heard + 8, 8, b"")), bench.now)
    assert last_frame(bench).credit == 8


def last_frame(bench: Bench) -> WireFrame:
    sent = [item for item in Deframer().feed(bench.device.take(bench.now)) if isinstance(item, WireFrame)]
    if sent:
        return sent[-1]
    bench.now += 0.005
    return last_frame(bench)
