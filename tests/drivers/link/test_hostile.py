"""Some 30,000 frames over hostile cables; `make soak` plays a million. The worlds assert what is promised:
each event once and in order, no action twice, no card beyond the permit, and books that balance."""

from dataclasses import replace

import pytest

from drivers.link.seal import BadTag, Opener, Replay
from drivers.link.session import LinkSession
from drivers.link.window import Receiver
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.hostile.trouble import TROUBLES
from tests.drivers.link.hostile.worlds import SMALL_RING, Figures, Play, play

FRAMES = 1_400
WORLDS = range(45, 65)
"""Seeds of more worlds, if something rare has not happened yet."""
ATTACKS = (
    "replayed",
    "reflected",
    "forged",
    "handshake",
    "hint",
    "lie",
    "version",
    "length",
    "endless",
    "garbage",
)


def world(trouble: str, device_class: DeviceClass, seed: int = 3) -> Play:
    return Play(seed, device_class, trouble, FRAMES)


@pytest.mark.parametrize("device_class", DeviceClass, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_hostile_cable_breaks_no_promise_of_the_link(trouble: str, device_class: DeviceClass) -> None:
    figures = play(world(trouble, device_class))
    assert figures.frames >= FRAMES
    assert figures.ends["events"] > 100


def test_a_small_ring_loses_minor_events_and_says_so() -> None:
    figures = play(replace(world("falling", DeviceClass.CONSOLE, 8), capacity=SMALL_RING))
    assert figures.ends["lost"] > 0


def test_every_kind_of_trouble_occurs() -> None:
    """Power that fails in an action is rare, so worlds are played until it has."""
    whole = sum(
        (play(world("worst", kind, 40)) for kind in (DeviceClass.SHOE, DeviceClass.SHUFFLER)), Figures()
    )
    for seed in WORLDS:
        if _complete(whole):
            break
        whole = whole + play(replace(world("worst", DeviceClass.SHUFFLER, seed), frames=4 * FRAMES))
    assert _complete(whole), (whole.cable, whole.befell, whole.ends)


def _complete(figures: Figures) -> bool:
    fates = ("dropped", "cut", "damaged", "duplicate", "intact", "retransmitted", "naks")
    mishaps = ("host dies", "device dies", "cable pulled", "somebody sleeps", "power lost in an action")
    cable, befell = figures.cable, figures.befell
    return figures.ends["executed"] > 20 and all(
        (*(cable[word] for word in (*fates, *ATTACKS)), *(befell[word] for word in mishaps))
    )


def _taken_again(opener: Opener, header: bytes, payload: bytes) -> bytes | Replay | BadTag:
    """What no Opener may do: forget the counter."""
    opener.last = -1
    return _OPEN(opener, header, payload)


def _taken_anyhow(receiver: Receiver, sequence: int, now: float) -> bool:
    """What no Receiver may do: take what is out of sequence."""
    receiver.expected = sequence
    return _TAKE(receiver, sequence, now)


def _uncounted(session: LinkSession, frame: object, now: float) -> None:
    """What no Session may do: drop silently."""


_OPEN = Opener.open
_TAKE = Receiver.take
BREAKAGES = [
    (Opener, "open", _taken_again),
    (Receiver, "take", _taken_anyhow),
    (LinkSession, "unseal", _uncounted),
]


@pytest.mark.parametrize(("owner", "name", "broken"), BREAKAGES, ids=["replays", "order", "silence"])
def test_a_broken_link_is_found_out(
    owner: type, name: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, broken)
    with pytest.raises(AssertionError):
        play(world("noisy", DeviceClass.SHOE))
