"""Vectors of section 7: five bad tags in ten seconds end a session, on either side of the link."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.framing import Vector
from generator.script import Step, bye
from generator.sealed_links import host, sealed
from generator.sealing import KEY, OTHER_KEY, Voice, first_session, session
from generator.window import beat, command, permit, quiet
from generator.wire import Frame

TAGS = 3


def sieges() -> Iterator[Vector]:
    """Five are too many, four are not."""
    says = host()
    yield sealed(
        "tags-five",
        "Five bad tags in ten seconds: Bye(TAGS), sealed, and the session ends.",
        Step(0.0).gets(*[says.forged(command(0))] * 4).delivers().sends(),
        Step(0.1).gets(says.forged(command(0))).delivers().ends("tags").sends(bye(TAGS)),
        Step(0.2).gets(says.say(command(0))).delivers(),
        Step(0.3),
    )
    says = host()
    yield sealed(
        "tags-four",
        "Four bad tags end nothing: the good frame that follows has the next counter and is taken.",
        Step(0.0).gets(*[says.forged(command(0))] * 4).delivers().sends(),
        Step(0.1).gets(says.say(command(0))).delivers(permit(1)).answers(1),
        Step(0.2),
    )
    says = host()
    yield sealed(
        "tags-good-between",
        "Good frames between them do not start the count over.",
        *(Step(n / 10).gets(says.forged(beat(0)), says.say(beat(0))) for n in range(4)),
        Step(0.4).gets(says.forged(beat(0))).ends("tags").sends(bye(TAGS)),
        Step(0.5),
    )
    yield from windows()
    yield from kinds()


def windows() -> Iterator[Vector]:
    """The limit holds for any ten seconds."""
    yield sealed(
        "tags-slow",
        "Five bad tags in more than ten seconds end nothing.",
        *spread((0.0, 2.6, 5.2, 7.8, 10.4)),
        Step(11.0),
    )
    slow, fast = (0.0, 9.0, 9.1, 9.2, 10.5), 10.6
    steps = list(spread((*slow, fast)))
    steps[-1].ends("tags").sends(bye(TAGS))
    yield sealed(
        "tags-sliding",
        "The first is forgotten after ten seconds: the fifth of the last ten ends the session.",
        *steps,
        Step(11.0),
    )


def spread(times: tuple[float, ...]) -> Iterator[Step]:
    """A bad tag at each time; heartbeats every 2 s keep the session alive."""
    says = host()
    beats = {float(second) for second in range(2, int(times[-1]) + 1, 2)}
    for time in sorted({*times, *beats}):
        yield Step(time).gets(says.forged(command(0)) if time in times else says.say(beat(0)))


def kinds() -> Iterator[Vector]:
    """Everything that counts as a bad tag."""
    whole = first_session()
    stranger, old = session(bytes(32), OTHER_KEY).host, session(bytes(32), KEY).host
    lengths = (0, 3, 4, 19, 20)
    cut = (replace(host().say(command(0)), payload=bytes(length)) for length in lengths)
    for name, shows, frames in (
        ("reflected", "Frames of its own that come back have another direction's key.", five(whole.device)),
        ("old-session", "So have frames of an old session.", five(old)),
        ("other-device", "So have another device's.", five(stranger)),
        ("short", "A payload too short for counter and tag counts as a bad tag.", cut),
    ):
        step = Step(0.0).gets(*frames).delivers().ends("tags").sends(bye(TAGS))
        yield sealed(f"tags-{name}", f"{shows} Five of them end the session.", step, Step(0.1))


def five(voice: Voice) -> Iterable[Frame]:
    """Five sealed frames."""
    return voice.all(*[quiet(0)] * 5)
