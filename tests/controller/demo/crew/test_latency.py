from controller.demo.crew.latency import Stopwatch


def seen(*moments: tuple[str, float]) -> list[float]:
    stopwatch = Stopwatch()
    for name, at in moments:
        stopwatch.notice({"notice": name.split()[-1], "at": at, "safe": name == "safe lamps"})
    return stopwatch.card_to_lamp()


def test_the_latency_runs_from_a_card_to_the_lamps_it_changed() -> None:
    assert seen(("card", 1.0), ("lamps", 1.25)) == [0.25]


def test_notices_may_arrive_in_any_order() -> None:
    assert seen(("lamps", 1.25), ("card", 1.0)) == [0.25]


def test_lamps_after_a_key_say_nothing_of_cards() -> None:
    assert seen(("card", 1.0), ("key", 1.1), ("lamps", 1.2)) == []
    assert seen(("card", 1.0), ("wager", 1.1), ("lamps", 1.2)) == []


def test_only_the_first_change_counts() -> None:
    assert seen(("card", 1.0), ("lamps", 1.5), ("lamps", 9.0)) == [0.5]


def test_lamps_that_the_device_darkens_itself_do_not_count() -> None:
    assert seen(("card", 1.0), ("safe lamps", 4.0), ("lamps", 5.0)) == []


def test_prompts_do_not_count_for_the_latency() -> None:
    assert seen(("card", 1.0), ("prompt", 1.1), ("lamps", 1.5)) == [0.5]
