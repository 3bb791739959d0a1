"""The web process is in the hands of an attacker: without the proof of a person nothing works, and the table
plays on."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cards import DECK
from controller.journal.history import History
from controller.journal.names import parts
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.table.record.choices import CHOICE_NAMES
from drivers.key_files import read_key
from tests.fixtures.process_table import ProcessTable
from tests.system.sevens import SEAT, hit, until_the_last_seven
from tests.system.supervising import member, take
from tests.system.taken_over import IS_ROOT, Intruder, house_of_web, intruder

Answer = dict[str, Any]

WHY = "I say so"
DECISIONS = [{"decision": {"choice": choice, "why": WHY}} for choice in CHOICE_NAMES]
ENTRY = {"choice": "entry", "why": WHY, "device": "table", "licence": "L-7"}
STEPS = [{"step": {"claim": 1, "step": step, "why": WHY}} for step in ("verify", "second", "pay", "void")]
METER = {"meter": {"spot": "blazing-7s", "cents": 9_000_000, "why": WHY}}
GRANT = {"answer": {"request": 1, "grant": True, "why": WHY}}
OFFICE: list[dict[str, Any]] = [
    METER,
    {"acknowledgement": {"alert": 1}},
    {"test_mode": {"on": True, "why": WHY}},
    {"lamp_test": {"pattern": "walk"}},
    {"lamp_report": {"seat": 1, "spot": "main", "works": False}},
]
CONFIRMED = {"step": {"claim": 1, "step": "confirm", "why": WHY}}
REQUESTS = [{"request": {"about": about, "why": WHY}} for about in ("undo", "help", "void", "correct")]
STAND = {"key": {"action": "stand", "seat": 1}}
ACTS: list[dict[str, Any]] = [*DECISIONS, *STEPS, *OFFICE, CONFIRMED, *REQUESTS, STAND, GRANT]
PREVIEWED = ("decision", "request", "answer", "step", "meter")
SIGNALS = ("SIGTERM", "SIGKILL", "SIGSTOP", "SIGHUP", "SIGINT", "SIGABRT", "SIGSEGV", "SIGUSR1")
OF_PROCESS = (
    "mem",
    "environ",
    "maps",
    "fd",
    "map_files",
    "auxv",
    "cwd",
    "root",
    "exe",
    "stack",
    "syscall",
    "io",
)
NAMED = re.compile(r'"card":"(..)"')


@pytest.fixture(scope="module")
def house() -> Iterator[ProcessTable]:
    with house_of_web() as house:
        yield house


@pytest.fixture
def web(house: ProcessTable) -> Iterator[Intruder]:
    with intruder(house) as web:
        yield web


def code(answer: Answer) -> int:
    """The code of a refusal; 0 for a result."""
    return int(answer["error"]["code"]) if "error" in answer else 0


def says(answer: Answer) -> str:
    return str(answer["error"]["message"])


def secret(house: ProcessTable, name: str) -> dict[str, str]:
    person = member(house.stage, name)
    return {"kind": person.proof, "secret": person.secret}


def daemon(house: ProcessTable) -> int:
    assert house.stage.daemon is not None
    return house.stage.daemon.pid


def refused_to_nobody(web: Intruder, tokens: dict[str, object]) -> None:
    """No act and no preview works with any of these tokens."""
    for what, token in tokens.items():
        for act in ACTS:
            answers = [web.act(token, act), web.act(token, act, confirm={"kind": "pin", "secret": "2580"})]
            answers += [web.call("preview", token=token, act=act)] if PREVIEWED & act.keys() else []
            for answer in answers:
                assert (code(answer), says(answer)) == (401, "sign in first"), (what, act)


def refused_to_root_alone(web: Intruder) -> None:
    for act in ACTS:
        answer = web.call("act", override=WHY, act=act, id="o")
        assert code(answer) == 403
        assert says(answer).startswith("override: ")


def refused_to_a_dealer(house: ProcessTable, web: Intruder, dee: str) -> None:
    """What a stolen session of Dee's does beyond her role, also by somebody who knows her PIN."""
    for act in (*DECISIONS, *STEPS, *OFFICE):
        for more in ({}, {"confirm": secret(house, "Dee")}):
            answer = web.act(dee, act, **more)
            assert code(answer) == 403, act
            assert says(answer).startswith("Dee is dealer"), act
    answer = web.act(dee, GRANT)
    assert (code(answer), answer["error"]["data"]) == (403, {"confirm": "pin"})


def refused_without_a_second_person(house: ProcessTable, web: Intruder, sue: str, sam: str) -> None:
    """Sue's password is known, and Sam's session. (Five wrong passwords would lock Sam out.)"""
    proof = {"confirm": secret(house, "Sue")}
    for step in STEPS:
        for token in (sue, sam):
            blind = web.act(token, step)
            assert (code(blind), blind["error"]["data"]) == (403, {"confirm": "password"})
    assert code(web.seen_act(sue, STEPS[0], **proof)) == 0
    same = web.seen_act(sue, STEPS[1], **proof)
    assert (code(same), "second needs another person" in says(same)) == (409, True)
    assert code(web.seen_act(sam, STEPS[1], **proof)) == 403
    assert code(web.seen_act(sue, STEPS[2], **proof)) == 409


def refused_to_one_supervisor(house: ProcessTable, web: Intruder, sue: str, sam: str) -> None:
    """A meter is asked for, and nobody else grants it."""
    proof = {"confirm": secret(house, "Sue")}
    assert code(web.seen_act(sue, METER)) == 403
    asked = web.seen_act(sue, METER, **proof)["result"]
    grant = {"answer": {"request": asked["request"], "grant": True, "why": WHY}}
    own = web.seen_act(sue, grant, **proof)
    assert (code(own), says(own)) == (409, "Sue has asked for it: another person grants it")
    assert code(web.seen_act(sam, grant)) == 403
    assert code(web.seen_act(sam, grant, **proof)) == 403
    away = {"answer": {"request": asked["request"], "grant": False}}
    assert code(web.seen_act(sue, away)) == 0


def invented(web: Intruder, token: str) -> dict[str, object]:
    """Tokens that follow from a true one, or that somebody could guess."""
    session = web.call("session", token=token)["result"]
    return {
        "guessed": "0" * 43,
        "empty": "",
        "of another session": f"{token[:-1]}{'A' if token[-1] != 'A' else 'B'}",
        "shortened": token[:-1],
        "its hash": hashlib.sha256(token.encode()).hexdigest(),
        "that of forms": session["csrf"],
        "a name": "Sue",
    }


def test_no_act_works_without_the_proof_of_a_person(house: ProcessTable, web: Intruder) -> None:
    dee, sue, sam = (web.sign_in(house, name) for name in ("Dee", "Sue", "Sam"))
    until_the_last_seven(house)
    refused_to_nobody(web, invented(web, sue))
    refused_to_root_alone(web)
    refused_to_a_dealer(house, web, dee)
    hit(house)
    won = house.until(lambda view: view.claims)
    meters, number = won.meters, won.round
    refused_to_nobody(web, {"guessed": "0" * 43})
    refused_to_a_dealer(house, web, dee)
    assert code(web.seen_act(dee, CONFIRMED)) == 0
    refused_without_a_second_person(house, web, sue, sam)
    refused_after_the_session(house, web, sue)
    view = house.until_settled()
    assert (view.round, view.meters) == (number, meters)
    assert [(claim.state, claim.supervisor, claim.second) for claim in view.claims] == [
        ("checked", "Sue", "")
    ]
    to_the_end(house)
    refused_to_one_supervisor(house, web, *(web.sign_in(house, name) for name in ("Sue", "Sam")))
    assert house.view().meters[0].cents == meters[0].cents
    whole(house)


def refused_after_the_session(house: ProcessTable, web: Intruder, sue: str) -> None:
    """An act, its secret and the token of its preview, kept until Sue has signed out."""
    void = {"step": {"claim": 1, "step": "void", "why": WHY}}
    preview = web.call("preview", token=sue, act=void)["result"]
    kept = {"step": {**void["step"], "token": preview["token"]}}
    entry = {"decision": ENTRY}
    row = web.call("act", token=sue, act=entry, id="kept")["result"]["row"]
    assert web.call("act", token=sue, act=entry, id="kept")["result"]["row"] == row
    assert "result" in web.call("sign_out", token=sue, address="127.0.0.1")
    for act, number in ((kept, "later"), (entry, "kept")):
        answer = web.call("act", token=sue, act=act, id=number, confirm=secret(house, "Sue"))
        assert (code(answer), says(answer)) == (401, "sign in first")


def to_the_end(house: ProcessTable) -> None:
    """The round is played and paid, and people who prove who they are pay the claim."""
    house.pull()
    house.until(lambda view: view.phase == "playing")
    house.until_settled()
    house.hands["console"].ask("press", action="stand", seat=SEAT)
    house.until(lambda view: view.phase == "paying")
    house.until_settled()
    house.hands["console"].ask("press", action="pay", seat=0)
    house.until(lambda view: view.phase == "betting")
    for step, who in (("second", "Sam"), ("pay", "Sam")):
        assert take(house, {"step": {"claim": 1, "step": step, "why": "seen on camera"}}, who) == ""
    house.hands["sensors"].ask("clear")
    house.until(lambda view: not view.suspended and view.prompt.startswith("Place your bets"))


def whole(house: ProcessTable) -> None:
    """The lamps are right, and the journal proves what is in it."""
    house.until_settled()
    assert verify(house.stage.journal, VerifyDemands()).findings == ()


def test_web_is_no_other_kind_of_client(web: Intruder) -> None:
    for kind in ("cli", "uplink"):
        answer = web.call("hello", **{"as": kind})
        assert (code(answer), says(answer)) == (403, f"this user cannot be {kind}; allowed: web")
    assert code(web.call("hello", **{"as": "root"})) == -32602
    assert web.call("hello", **{"as": "web"})["result"]["kind"] == "web"


HOLE = "Jd"
DEALT = f"9c 9d 7h Tc {HOLE} 2c 3c 4c"
"""A burned card; seat 1 and the up-card alternate; the dealer's second card lies face down."""


def deal_face_down(house: ProcessTable) -> None:
    house.hands["sensors"].ask("clear")
    house.until(lambda view: view.phase == "betting" and not view.suspended)
    house.hands["shoe"].ask("load", cards=DEALT, decks=8)
    house.until(lambda view: view.prompt.startswith("Place your bets") and view.shoe.cards_out == 0)
    house.hands["sensors"].ask("put", seat=SEAT, spot=0, cents=500)
    house.until(lambda view: "1 wager" in view.prompt)
    house.hands["console"].ask("press", action="close", seat=0)
    for cards in range(5):
        pull_after(house, cards)
    house.until(lambda view: view.phase == "playing" and "??" in view.dealer.cards)
    house.until_settled()


def pull_after(house: ProcessTable, cards: int) -> None:
    """Pulls the next card once so many are out."""
    house.until(lambda view: view.phase in {"burning", "dealing"} and view.shoe.cards_out == cards)
    house.until_settled()
    house.pull()


def stand_and_pay(house: ProcessTable) -> None:
    number = house.view().round
    house.hands["console"].ask("press", action="stand", seat=SEAT)
    house.until(lambda view: view.phase == "paying")
    house.until_settled()
    house.hands["console"].ask("press", action="pay", seat=0)
    ended = house.until(lambda view: view.rounds and view.rounds[0].number == number).rounds[0]
    assert HOLE in ended.dealer.cards


def heard(house: ProcessTable, web: Intruder) -> str:
    """All that the table socket tells web: every topic, and every method that shows something."""
    sue = web.sign_in(house, "Sue")
    web.call("subscribe", topics=["view", "head", "status"])
    for method in ("metrics", "health", "roster", "hello"):
        assert code(web.call(method)) == 0
    for act in (*DECISIONS, *STEPS, *REQUESTS, METER, GRANT):
        web.call("preview", token=sue, act=act)
    return str(web.order("listen", "web", 0.5))


def guesses(web: Intruder, sue: str) -> int:
    """How many different answers there are to guesses of the face-down card: one says nothing."""
    answers = set[str]()
    for card in DECK:
        guess = {"choice": "correct", "why": WHY, "seat": 0, "number": 2, "old": card, "card": "2h"}
        answer = web.call("preview", token=sue, act={"decision": guess})
        answers.add(json.dumps({**answer, "id": 0}).replace(card, "the guess"))
    return len(answers)


def secrets(house: ProcessTable) -> dict[str, str]:
    """What the files may not contain, as latin-1 text, by name."""
    keys = {path.name: read_key(path) for path in (house.stage.folder / "keys").iterdir()}
    found = {name: key.decode("latin-1") for name, key in keys.items()}
    found |= {f"{name} in hexadecimal": key.hex() for name, key in keys.items()}
    hashes = re.findall(rb"\$argon2id\$[\w+/=,$]+", (house.stage.folder / "access.db").read_bytes())
    assert hashes
    return found | {f"hash {place}": each.decode() for place, each in enumerate(hashes)}


def test_no_byte_that_web_gets_names_the_face_down_card_or_a_key(house: ProcessTable, web: Intruder) -> None:
    deal_face_down(house)
    told = heard(house, web)
    assert '"9d"' in told
    assert f'"{HOLE}"' not in told
    assert guesses(web, web.sign_in(house, "Sue")) == 1
    stage = house.stage
    live = [path for path in parts(stage.journal) if path.exists()]
    readable = {*live, *(stage.folder / "mirror").iterdir(), stage.config, stage.folder / "journal.pub"}
    readable = {path for path in readable if not path.name.endswith((".lock", "-shm"))}
    contents = {path: str(web.order("read", str(path))) for path in readable}
    assert not [path for path, text in contents.items() if re.fullmatch("E[A-Z]+", text)]
    dealt = {card for text in contents.values() for card in NAMED.findall(text)}
    assert {"9c", "9d", "7h", "Tc"} <= dealt
    assert HOLE not in dealt
    for name, hidden in secrets(house).items():
        assert not [path for path, text in contents.items() if hidden in text], name
        assert hidden not in told, name
    if IS_ROOT:
        others = {path for path in stage.folder.rglob("*") if path.is_file()} - readable
        assert {"access.db", "shoe.key", "journal.seal", "journal.key"} <= {path.name for path in others}
        assert {str(path): web.order("read", str(path)) for path in others} == {
            str(path): "EACCES" for path in others
        }
    stand_and_pay(house)
    whole(house)


def test_web_reads_nothing_of_the_core_and_ends_nothing(house: ProcessTable, web: Intruder) -> None:
    """As another user. As the core's own user, its memory is closed all the same."""
    limits = Path(f"/proc/{daemon(house)}/limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    core = daemon(house)
    names = OF_PROCESS if IS_ROOT else ("mem", "environ", "maps", "fd")
    assert {name: web.order("look_into", core, name) for name in names} == dict.fromkeys(names, "EACCES")
    assert (web.order("trace", core), web.order("read_memory", core)) == ("EPERM", "EPERM")
    if IS_ROOT:
        processes = (core, *(device.pid for device in house.stage.devices.values()))
        for pid in processes:
            assert {web.order("send_signal", pid, name) for name in SIGNALS} == {"EPERM"}
    house.until_settled()
    assert daemon(house) == core


def test_web_changes_no_file_and_reaches_no_device(house: ProcessTable, web: Intruder) -> None:
    """The journal, its mirror, head record, accounts, configuration, keys, ports. Only another user can be
    refused by the modes of files."""
    folder = house.stage.folder
    if IS_ROOT:
        for path in (path for path in folder.rglob("*") if path.is_file()):
            found = {order: web.order(order, str(path)) for order in ("write", "append", "shorten")}
            assert set(found.values()) == {"EACCES"}, path
            moved = {order: web.order(order, str(path)) for order in ("remove", "rename")}
            assert set(moved.values()) == {"EACCES"}, path
            assert web.order("open_to_all", str(path)) in {"EPERM", "EACCES"}, path
        for place in (folder, folder / "mirror", folder / "keys", folder.parent):
            assert web.order("create", str(place / "forged")) == "EACCES", place
        for kind in house.stage.devices:
            assert web.order("write", str(house.stage.port(kind).resolve())) == "EACCES", kind
            assert web.order("reach", str(house.stage.control(kind))) == "EACCES", kind
        for journal in (house.stage.journal, folder / "mirror" / house.stage.journal.name):
            assert web.order("delete_rows", str(journal)) == "unable to open database file"
    house.until_settled()
    whole(house)


def test_web_keeps_no_command_out_of_the_socket(house: ProcessTable, web: Intruder) -> None:
    """It connects until the core refuses it; a supervisor decides on the command line meanwhile."""
    names = [f"connection {number}" for number in range(40 if IS_ROOT else 20)]
    for name in names:
        web.connect(name)
    assert take(house, {"decision": ENTRY}).startswith("entry has no preview")
    for name in names:
        web.order("close", name)
    house.until_settled()


def test_false_reports_of_web_do_not_fill_the_journal(house: ProcessTable, web: Intruder) -> None:
    before = sum(1 for _ in History(house.stage.journal).rows())
    for number in range(300):
        assert code(web.call("report", about="page", why=f"port {number} is taken")) == 0
    assert code(web.call("report", about="page", why="")) == 0
    assert sum(1 for _ in History(house.stage.journal).rows()) - before < 20


def test_web_does_what_one_signed_in_person_could_do(house: ProcessTable, web: Intruder) -> None:
    """The session alone is enough for an act that takes one person; docs/access.md says so."""
    deal_face_down(house)
    number = house.view().round
    assert code(web.seen_act(web.sign_in(house, "Sue"), {"decision": {"choice": "void", "why": WHY}})) == 0
    view = house.until(lambda view: view.round > number)
    assert [(ended.number, ended.outcome) for ended in view.rounds[:1]] == [(number, "void")]
    whole(house)
