"""Acts through the table socket: who may do what, with which secret, and only once."""

from pathlib import Path
from typing import Any

import pytest

from controller.socket.client import CoreClient
from controller.socket.codes import Code
from controller.socket.wire import CallRefused
from tests.fixtures.access_desk import FROM, PASSWORD
from tests.fixtures.core_table import open_core, request

DEALT = "1:main=500 close 8h 9c 9d Kc"
LOCKED = "1:main=500 1:blazing-7s=100 close"
WON = "1:main=1000 1:blazing-7s=100 close 7h 7h 7h Kd"
METER: dict[str, Any] = {"meter": {"spot": "blazing-7s", "cents": 2_500_000, "why": "compared"}}
SECRET = {"kind": "password", "secret": PASSWORD}
VOID = {"decision": {"choice": "void", "why": "exposed"}}


async def test_a_key_is_on_disk_when_it_is_answered(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        taken = await client.act(core.tokens["Dee"], {"key": {"action": "stand", "seat": 1}}, "key-1")
        row = next(core.at.journal.since(taken.row - 1))
    assert (row.content.kind, row.row) == ("console key", taken.row)
    assert '"who":"Dee"' in row.content.body


@pytest.mark.parametrize(
    ("who", "act", "allowed"),
    [
        ("Ann", {"key": {"action": "stand", "seat": 1}}, "allowed: dealer"),
        ("Dee", VOID, "allowed: supervisor, technician"),
        ("Ted", VOID, "Ted is technician; allowed: entry"),
        ("Aud", {"acknowledgement": {"alert": 1}}, "allowed: supervisor, technician"),
        ("Ann", {"test_mode": {"on": True, "why": "lamps"}}, "a technician begins test mode"),
        ("Dee", {"step": {"claim": 1, "step": "pay", "why": "paid"}}, "pay is not allowed; allowed: confirm"),
        ("Ted", {"meter": {"spot": "x", "cents": 1, "why": "y"}}, "allowed: supervisor"),
    ],
)
async def test_a_role_that_may_not_do_it_is_refused(
    tmp_path: Path, who: str, act: dict[str, Any], allowed: str
) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        before = core.at.journal.head
        refused = await _refused(client, core.tokens[who], act)
        assert core.at.journal.head == before
    assert refused.code == Code.FORBIDDEN
    assert allowed in refused.message


async def test_the_token_of_nobody_or_of_an_ended_session_acts_on_nothing(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        ended = core.tokens["Dee"]
        await client.sign_out(ended, FROM)
        for token in (ended, "0" * 43, core.tokens["Ann"][:-1] + "x"):
            refused = await _refused(client, token, {"key": {"action": "stand", "seat": 1}})
            assert refused.code == Code.NO_SESSION
        assert core.rows_of("console key") == []


async def test_no_field_of_an_act_names_a_person(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        act = {"key": {"action": "stand", "seat": 1, "who": "Don"}}
        assert (await _refused(client, core.tokens["Dee"], act)).code == Code.INVALID_PARAMS


async def test_an_act_is_exactly_one_thing(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        for act in ({}, {**VOID, "acknowledgement": {"alert": 1}}, {"key": None}):
            refused = await _refused(client, core.tokens["Ann"], act)
            assert refused.code == Code.INVALID_PARAMS
            assert "exactly one is needed of key, decision," in refused.message


async def test_a_decision_without_its_preview_is_refused_and_with_it_taken(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        token = core.tokens["Ann"]
        blind = await _refused(client, token, VOID)
        preview = await client.preview(token, VOID)
        assert "given back" in preview.sentences[0]
        taken = await client.act(token, _with_token(VOID, preview.token), "void-1")
        decision = core.rows_of("supervisor")[0]
    assert (blind.code, blind.message) == (Code.REFUSED, "look at its preview first: its token is missing")
    assert taken.request == 0
    assert (decision["who"], decision["signed_in"]) == ("Ann", True)


async def test_a_void_that_moves_a_jackpot_takes_the_password_and_becomes_a_request(
    tmp_path: Path,
) -> None:
    async with open_core(tmp_path, LOCKED, "blackjack-x") as core, core.client() as client:
        ann, bob = core.tokens["Ann"], core.tokens["Bob"]
        act = _with_token(VOID, (await client.preview(ann, VOID)).token)
        blind = await _refused(client, ann, act)
        wrong = await _refused(client, ann, act, {"kind": "password", "secret": "not it"})
        assert core.rows_of("asked") == []
        asked = await client.act(ann, act, "void-2", SECRET)
        answer = {"answer": {"request": asked.request, "grant": True}}
        granted = _with_token(answer, (await client.preview(bob, answer)).token)
        unproved = await _refused(client, bob, granted)
        await client.act(bob, granted, "grant-1", SECRET)
        assert core.rows_of("round")[-1]["round"]["outcome"] == "void"
    assert wrong.message == "this is not Ann's password"
    for refused in (blind, wrong, unproved):
        assert (refused.code, refused.data) == (Code.FORBIDDEN, {"confirm": "password"})
    assert asked.request == 1


async def test_a_grant_that_arrives_together_with_its_request_takes_the_secret(tmp_path: Path) -> None:
    """A client that knows the token of the preview beforehand gains nothing: when the core looks at the
    answer, the table has not opened the request yet."""
    requested = {"request": {"about": "void", "why": "exposed"}}
    granting = {"answer": {"request": 1, "grant": True}}
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    async with open_core(tmp_path / "one", DEALT) as core, core.client() as client:
        asking = _with_token(requested, (await client.preview(core.tokens["Dee"], requested)).token)
        await client.act(core.tokens["Dee"], asking, "request-1")
        granted = _with_token(granting, (await client.preview(core.tokens["Ann"], granting)).token)
    async with open_core(tmp_path / "other", DEALT) as core, core.wire() as wire:
        both = request(1, "act", token=core.tokens["Dee"], act=asking, id="request-1")
        both += request(2, "act", token=core.tokens["Ann"], act=granted, id="grant-1")
        answers = sorted([await wire.ask(both), await wire.message()], key=lambda answer: answer["id"])
        assert core.rows_of("round") == []
    assert answers[0]["result"]["request"] == 1
    assert (answers[1]["error"]["code"], answers[1]["error"]["data"]) == (403, {"confirm": "password"})


async def test_a_preview_says_which_secret_its_act_takes(tmp_path: Path) -> None:
    """The same kind with which the act is refused without the secret."""
    async with open_core(tmp_path, LOCKED, "blackjack-x") as core, core.client() as client:
        dee, ann, bob = core.tokens["Dee"], core.tokens["Ann"], core.tokens["Bob"]
        void = await client.preview(ann, VOID)
        await client.act(ann, _with_token(VOID, void.token), "void-3", SECRET)
        assert void.confirm == "password"
        for token, grant, confirm in (
            (bob, True, "password"),
            (bob, False, None),
            (ann, False, None),
            (core.tokens["Aud"], True, None),  # an auditor only looks
        ):
            answer = {"answer": {"request": 1, "grant": grant}}
            assert (await client.preview(token, answer)).confirm == confirm
        request = {"request": {"about": "void", "why": "exposed"}}
        assert (await client.preview(dee, request)).confirm is None


async def test_the_preview_of_a_meters_correction_names_the_secret(tmp_path: Path) -> None:
    async with open_core(tmp_path, game="blackjack-x") as core, core.client() as client:
        assert (await client.preview(core.tokens["Ann"], METER)).confirm == "password"


async def test_a_void_that_moves_no_jackpot_and_a_call_for_help_take_no_secret(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        ann = core.tokens["Ann"]
        call = {"request": {"about": "help", "why": "stuck"}}
        help_call = await client.act(core.tokens["Dee"], call, "help-1")
        grant = {"answer": {"request": help_call.request, "grant": True}}
        assert (await client.preview(ann, VOID)).confirm is None
        assert (await client.preview(ann, grant)).confirm is None


async def test_the_preview_of_a_claims_step_names_a_secret_for_those_who_may_take_it(tmp_path: Path) -> None:
    async with open_core(tmp_path, WON, "blackjack-x") as core, core.client() as client:
        steps = [{"step": {"claim": 1, "step": step}} for step in ("confirm", "void")]
        seen = {
            who: [(await client.preview(core.tokens[who], step)).confirm for step in steps]
            for who in ("Dee", "Ann")
        }
    assert seen == {"Dee": [None, None], "Ann": [None, "password"]}


async def test_the_secret_of_another_person_does_not_confirm(tmp_path: Path) -> None:
    async with open_core(tmp_path, LOCKED, "blackjack-x") as core, core.client() as client:
        core.access.accounts.set_secret("Bob", "password", "another good one", "root")
        bob, _ = core.access.sessions.begin(core.access.accounts.get("Bob"), FROM)
        act = _with_token(VOID, (await client.preview(bob, VOID)).token)
        assert (await _refused(client, bob, act, SECRET)).code == Code.FORBIDDEN
        assert core.rows_of("asked") == []


async def test_an_act_that_is_asked_for_again_is_taken_once_and_answered_alike(tmp_path: Path) -> None:
    stand: dict[str, Any] = {"key": {"action": "stand", "seat": 1}}
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        token = core.tokens["Dee"]
        taken = await client.act(token, stand, "same")
        again = await client.act(token, stand, "same")
        refused = await _refused(client, token, stand, act_id="late")
    async with open_core(tmp_path) as core, core.client() as client:
        token = core.tokens["Dee"]
        after = await client.act(token, stand, "same")
        still = await _refused(client, token, stand, act_id="late")
        keys = core.rows_of("console key")
    assert taken == again == after
    assert (still.code, still.message) == (refused.code, refused.message)
    assert len(keys) == 1


async def test_the_id_of_another_persons_act_is_not_answered_for_them(tmp_path: Path) -> None:
    async with open_core(tmp_path, f"{DEALT} 1:stand") as core, core.client() as client:
        await client.act(core.tokens["Dee"], {"request": {"about": "help", "why": "stuck"}}, "one")
        other = await client.act(core.tokens["Don"], {"request": {"about": "help", "why": "stuck"}}, "one")
        assert (other.request, len(core.rows_of("asked"))) == (2, 2)


async def test_a_grant_of_a_call_for_help_takes_no_secret(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.client() as client:
        help_call = await client.act(core.tokens["Dee"], {"request": {"about": "help", "why": "stuck"}}, "a")
        answer = {"answer": {"request": help_call.request, "grant": True}}
        await client.act(core.tokens["Ann"], answer, "b")
        assert core.at.table.state.shift.requests.open == ()


def _with_token(act: dict[str, Any], token: str) -> dict[str, Any]:
    return {name: {**body, "token": token} for name, body in act.items()}


async def _refused(
    client: CoreClient,
    token: str,
    act: dict[str, Any],
    confirm: dict[str, Any] | None = None,
    act_id: str = "refused",
) -> CallRefused:
    with pytest.raises(CallRefused) as refused:
        await client.act(token, act, act_id, confirm)
    return refused.value
