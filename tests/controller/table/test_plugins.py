"""A journal says which plug-ins a round was played with, and a replay with others says so."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.config.reading import parse
from controller.daemon.first_event import started_event
from controller.journal.history import History
from controller.table.record.codec import read_record
from controller.table.record.events import Started
from controller.table.record.kinds import BY_RECORD
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.played_journal import SEAL, PlayedTable, journal, replay, replayed_rounds
from tests.fixtures.plugins import lay_out, lay_out_bet, lay_out_game, plugin_site

PUSH_JACK = {"push-jack": "push-rules 1.0"}
DEVICES = {name: {"port": f"/dev/{name}", "serial": name.upper()} for name in ("shoe", "sensors", "console")}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    lay_out_game(folder)
    with plugin_site(folder):
        yield folder


def document(game: str, **options: object) -> dict[str, object]:
    table = {"name": "Table 1", "game": game}
    return {"table": table, "options": options, "journal": {"path": "a.journal"}, "devices": DEVICES}


@pytest.fixture
def played(site: Path, tmp_path: Path) -> Path:
    """The folder of a journal with a round of push-jack, played with version 1.0."""
    assert site.exists()
    script = Script("push-jack", plugins=PUSH_JACK)
    with loop_table(journal(tmp_path), script.started(), key=SEAL) as loop:
        PlayedTable(loop, script).play("1:main=500 close Ah Tc pay")
    return tmp_path


def test_a_start_names_the_distributions_of_game_and_bets(site: Path) -> None:
    lay_out_bet(site, "0.3")
    started = started_event(parse(document("push-jack", bets={"long-hand": {}})))
    assert started.plugins == {**PUSH_JACK, "long-hand": "long-hand-bet 0.3"}
    assert (
        BY_RECORD[Started]
        .text(started)
        .endswith("push-jack, 7 seats, with push-jack of push-rules 1.0, with long-hand of long-hand-bet 0.3")
    )


def test_a_start_without_plug_ins_names_none() -> None:
    assert started_event(parse(document("easy-jack"))).plugins == {}


def test_the_journal_keeps_the_plug_ins_of_a_start_and_of_a_round(played: Path) -> None:
    rows = (row.content for row in History(journal(played)).rows() if row.content.kind == "started")
    assert [record.plugins for record in map(read_record, rows) if isinstance(record, Started)] == [PUSH_JACK]
    (found,) = replayed_rounds(played)
    assert (found["agrees"], found["plugins"]) == (True, [])


def test_a_replay_with_another_version_says_so(played: Path) -> None:
    with plugin_site(played / "newer"):
        (played / "newer").mkdir()
        lay_out_game(played / "newer", "1.1")
        said = "The round was played with push-jack of push-rules 1.0; here it is of push-rules 1.1."
        assert replayed_rounds(played)[0]["plugins"] == [said]
        assert "played with push-jack of push-rules 1.0" in replay(played).stdout


def test_a_replay_without_the_plug_in_says_so(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    lay_out_game(site)
    with plugin_site(site):
        six_decks: dict[str, object] = {
            "burn_cards": 0,
            "decks": 6,
        }  # no other test has opened the game with them
        script = Script("push-jack", options=six_decks, plugins=PUSH_JACK)
        with loop_table(journal(tmp_path), script.started(), key=SEAL) as loop:
            PlayedTable(loop, script).play("1:main=500 close Ah Tc pay")
    (found,) = replayed_rounds(tmp_path, status=1)
    assert found["plugins"] == ["The round was played with push-jack of push-rules 1.0; here it is missing."]
    assert "'push-jack' is not a game" in found["differs"][0]


def test_a_restart_with_another_version_in_mid_round_is_an_alert(site: Path, tmp_path: Path) -> None:
    assert site.exists()
    script = Script("push-jack", plugins=PUSH_JACK)
    with loop_table(journal(tmp_path), script.started(), key=SEAL) as loop:
        PlayedTable(loop, script).play("1:main=500 close Ah")
    newer = replace(script.started(), plugins={"push-jack": "push-rules 1.1"})
    with loop_table(journal(tmp_path), newer, key=SEAL) as loop:
        assert list(loop.table.state.alerts) == [
            "The round in play goes on: push-jack is of push-rules 1.1 now, "
            "and was of push-rules 1.0 when the round began"
        ]


def faults_of(game: str, **options: object) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as error:
        parse(document(game, **options))
    return error.value.faults


def test_a_configuration_names_the_games_of_plug_ins(site: Path) -> None:
    assert site.exists()
    (fault,) = faults_of("push-jakc")
    assert fault.startswith('table.game = "push-jakc": not allowed; allowed: "ez-bust" or "easy-jack" or ')
    assert fault.endswith('"blackjack-x" or "push-jack"; did you mean "push-jack"?')


def test_a_configuration_with_a_broken_plug_in_says_which(site: Path) -> None:
    lay_out(
        site, "bad-rules", {"tableside.games": {"bad": "bad_rules:Bad"}}, "raise RuntimeError('no licence')"
    )
    (fault,) = faults_of("bad")
    assert fault == (
        'table.game = "bad": not usable: bad-rules 1.0, entry point bad = bad_rules:Bad in tableside.games: '
        "cannot be imported: RuntimeError: no licence; allowed: a class in an importable module"
    )


def test_a_configuration_with_an_unknown_side_bet_says_so(site: Path) -> None:
    assert site.exists()
    (fault,) = faults_of("easy-jack", bets={"long-hand": {}})
    assert fault == "options.bets.long-hand = {}: not allowed; allowed: none, because no plug-in provides one"
