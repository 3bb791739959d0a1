"""A card lies face down, and the daemon is killed: what its files say, and what the next start needs."""

import re
import secrets
from pathlib import Path

from controller.cards import DECK
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from drivers.key_files import store_key
from tests.fixtures.process_table import ProcessTable
from tests.system import script
from tests.system.service import service

HOLE = "3d"
"""The dealer's face-down card of the script."""
OPEN = {"9c", "4h", "7s"}
"""The cards before it."""
DEALT = range(8)
"""The steps until it lies there."""
REST = range(8, len(script.ROUND))
NAMED = re.compile(rb'"card":"(..)"')


def seal_key(house: ProcessTable) -> Path:
    return house.stage.folder / "keys" / "journal.seal"


def named_cards(house: ProcessTable) -> set[str]:
    """The cards that stand in the bytes of the journal and of the files beside it."""
    files = house.stage.folder.glob(f"{house.stage.journal.name}*")
    found = {match.decode() for path in files if path.is_file() for match in NAMED.findall(path.read_bytes())}
    return found & set(DECK)


def deal_and_kill(house: ProcessTable) -> int:
    """`kill -9` while the card lies face down; the number of the round."""
    house.start_daemon()
    number = script.lay_out(house).round
    script.play(house, steps=DEALT)
    script.at(house, DEALT.stop)
    house.kill_daemon()
    return number


def play_on(house: ProcessTable, number: int) -> None:
    house.start_daemon()
    script.play(house, steps=REST)
    script.ended(house, number)
    house.stop_daemon()


def refused_start(house: ProcessTable) -> str:
    """Why the table is halted, and what the daemon wrote."""
    with service(house.stage.config) as halted:
        said = halted.say()
        halted.process.terminate()
        status, wrote = halted.end()
    assert status == 1
    return said + wrote


def test_a_killed_table_leaves_no_file_that_names_the_face_down_card(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house, house.with_hands():
        number = deal_and_kill(house)
        assert named_cards(house) >= OPEN
        assert HOLE not in named_cards(house)
        play_on(house, number)
        assert HOLE in named_cards(house)
        found = verify(house.stage.journal, VerifyDemands())
        assert found.findings == ()
        assert found.summary.opened == 1


def test_a_start_without_the_seal_key_halts_until_the_key_is_back(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house, house.with_hands():
        number = deal_and_kill(house)
        kept = seal_key(house).read_text()
        seal_key(house).unlink()
        told = refused_start(house)
        assert re.search(r"STATUS=Halted: row \d+ of the journal holds a sealed card", told)
        assert "and the seal key is missing" in told
        store_key(secrets.token_bytes(32), seal_key(house))
        assert "and the seal key is another one than it was sealed with" in refused_start(house)
        seal_key(house).write_text(kept)
        play_on(house, number)


def test_a_start_after_the_reveal_needs_no_seal_key(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house, house.with_hands():
        play_on(house, deal_and_kill(house))
        seal_key(house).unlink()
        house.start_daemon()
        assert house.view().rounds[0].dealer.cards[0] == HOLE
        log = (house.stage.folder / "daemon.log").read_text()
    assert "cards that lie face down are not sealed" in log
