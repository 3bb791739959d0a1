import itertools

from drivers.sim.cable import MOST_WAITING, Cable, Faults

FRAMES = [b"\0" + bytes([n % 255 + 1]) * 20 + b"\0" for n in range(2000)]
LINE = b"".join(FRAMES)


def through(faults: Faults, data: bytes = LINE, seed: str = "1") -> tuple[Cable, bytes]:
    cable = Cable(seed, faults)
    out = b""
    for start in range(0, len(data), 700):
        cable.put(data[start : start + 700], 0.0)
        out += cable.take(1e6)
    return cable, out


def frames(data: bytes) -> list[bytes]:
    return [b"\0" + run + b"\0" for run in data.split(b"\0") if run]


def test_a_good_cable_passes_any_bytes_at_once() -> None:
    cable = Cable("1", Faults())
    cable.put(b"no zero anywhere", 3.0)
    assert cable.deadline == 3.0
    assert cable.take(3.0) == b"no zero anywhere"
    assert cable.deadline == float("inf")


def test_a_dropping_cable_loses_whole_frames_and_counts_them() -> None:
    cable, out = through(Faults(drop=0.1))
    assert 150 < cable.counts["dropped"] < 250
    assert len(frames(out)) == 2000 - cable.counts["dropped"]
    assert set(frames(out)) <= set(FRAMES)


def test_a_flipping_cable_changes_one_bit_of_a_frame() -> None:
    cable, out = through(Faults(flip=0.1))
    broken = [(was ^ came).bit_count() for was, came in zip(LINE, out, strict=True) if was != came]
    assert broken == [1] * cable.counts["flipped"]
    assert 150 < cable.counts["flipped"] < 250


def test_a_duplicating_cable_sends_a_frame_twice_in_a_row() -> None:
    cable, out = through(Faults(duplicate=0.1))
    came = frames(out)
    twice = sum(first == second for first, second in itertools.pairwise(came))
    assert twice == cable.counts["duplicated"] == len(came) - 2000
    assert 150 < twice < 250


def test_a_splitting_cable_delivers_the_same_bytes_in_two_pieces() -> None:
    cable = Cable("1", Faults(split=1.0))
    cable.put(FRAMES[0], 0.0)
    first = cable.take(0.0)
    assert 0 < len(first) < len(FRAMES[0])
    assert cable.take(0.001) == b""
    assert first + cable.take(cable.deadline) == FRAMES[0]
    assert cable.counts["split"] == 1


def test_a_stall_holds_up_everything_behind_it() -> None:
    cable = Cable("1", Faults(stall=1.0, stall_seconds=0.5))
    cable.put(FRAMES[0], 10.0)
    assert cable.take(10.4) == b""
    assert cable.deadline == 10.5
    assert cable.take(10.5) == FRAMES[0]
    assert cable.counts["stalled"] == 1


def test_the_seed_decides_every_fault() -> None:
    faults = Faults(drop=0.1, flip=0.1, duplicate=0.1, split=0.1)
    assert through(faults)[1] == through(faults)[1]
    assert through(faults)[1] != through(faults, seed="2")[1]


def test_a_byte_takes_the_time_of_ten_bits() -> None:
    cable = Cable("1", Faults(), baud=1000)
    cable.put(bytes(50), 0.0)
    cable.put(bytes(50), 0.0)
    assert cable.take(0.49) == b""
    assert len(cable.take(0.5)) == 50
    assert cable.deadline == 1.0


def test_what_nobody_takes_is_lost_and_counted() -> None:
    cable = Cable("1", Faults(stall=1.0, stall_seconds=100))
    for _ in range(3000):
        cable.put(b"\0" + b"x" * 98 + b"\0", 0.0)
    assert cable.counts["overrun"] > 0
    assert len(cable.take(1e9)) <= MOST_WAITING


def test_junk_without_a_zero_does_not_pile_up() -> None:
    cable = Cable("1", Faults(drop=0.5))
    cable.put(b"x" * 100_000, 0.0)
    assert cable.counts["overrun"] == 100_000


def test_a_cut_loses_what_is_under_way() -> None:
    cable = Cable("1", Faults(), baud=10)
    cable.put(bytes(5), 0.0)
    cable.cut()
    assert cable.take(1e6) == b""
