"""Decisions, claims and alerts over HTTP: who may send which, and what is recorded."""

import json
from pathlib import Path

from tests.controller.monitor.api.tables import open_table

PLAYED = "1:main=500 close 8h 9c 9d Kc"
HIT = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay"


async def test_a_decision_is_kept_with_who_was_signed_in(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        assert (
            await house.post_previewed("Ann", "decisions", choice="void", why="smudged")
        ).status_code == 204
        (kept,) = map(json.loads, house.rows_of("supervisor"))
        assert (kept["who"], kept["why"], kept["signed_in"]) == ("Ann", "smudged", True)


async def test_a_correction_takes_the_token_of_its_preview(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        word = {"choice": "correct", "why": "seen", "seat": 1, "number": 1, "old": "8h", "card": "7h"}
        blind = await house.post("Ann", "decisions", **word)
        assert (blind.status_code, "its token is missing" in blind.json()["detail"]) == (409, True)
        seen = (await house.post_previewed("Ann", "decisions/preview", **word)).json()
        assert seen["changes"]
        done = await house.post_previewed("Ann", "decisions", **word, token=seen["token"])
        assert done.status_code == 204
        assert house.view().seats[0].hands[0].cards[0] == "7h"


async def test_a_name_in_the_body_is_refused(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        for name in ("who", "second", "signed_in"):
            body = {"choice": "void", "why": "seen", name: "Bob"}
            assert (await house.post_previewed("Ann", "decisions", **body)).status_code == 422
        wrong = await house.post_previewed("Ann", "decisions", choice="void", why="seen", seat=1)
        assert (
            wrong.json()["detail"][0]["msg"]
            == "seat: not allowed; allowed: choice, who, why, round, second, token"
        )


async def test_a_technician_enters_what_they_open_and_nothing_else(tmp_path: Path) -> None:
    async with open_table(tmp_path) as house:
        entry = {"choice": "entry", "why": "new lamp", "device": "shoe"}
        unsigned = await house.post_previewed("Ted", "decisions", **entry)
        assert (unsigned.status_code, "licence = None" in unsigned.text) == (422, True)
        assert (await house.post_previewed("Ted", "decisions", **entry, licence="L-7")).status_code == 204
        assert json.loads(house.rows_of("supervisor")[-1])["licence"] == "L-7"
        assert (
            await house.post_previewed("Ted", "decisions", choice="resume", why="all well")
        ).status_code == 403
        assert (
            await house.post_previewed("Dee", "decisions", choice="resume", why="all well")
        ).status_code == 403


async def test_a_claim_is_taken_on_by_those_whose_step_it_is(tmp_path: Path) -> None:
    async with open_table(tmp_path, HIT, "blackjack-x") as house:
        path = "claims/1/steps"
        foreign = await house.post_previewed("Ann", path, step="confirm", why="seen")
        assert (foreign.status_code, "confirm is not allowed" in foreign.json()["detail"]) == (403, True)
        assert (await house.post_previewed("Dee", path, step="verify", why="seen")).status_code == 403
        for who, step, why in (
            ("Dee", "confirm", "seen"),
            ("Ann", "verify", "on camera"),
            ("Bob", "pay", ""),
        ):
            if why:
                silent = await house.post_previewed(who, path, step=step)
                assert (silent.status_code, f"why is needed to {step}" in silent.text) == (422, True)
            assert (await house.post_previewed(who, path, step=step, why=why)).status_code == 204
        (claim,) = house.view().claims
        assert (claim.state, claim.dealer, claim.supervisor, claim.payer) == ("paid", "Dee", "Ann", "Bob")
        assert all(json.loads(kept)["signed_in"] for kept in house.rows_of("claim step"))
        late = await house.post_previewed("Ann", path, step="void", why="seen")
        assert late.json() == {"detail": "claim 1 is paid: void is not possible; allowed: nothing more"}


async def test_an_alert_is_acknowledged_once(tmp_path: Path) -> None:
    async with open_table(tmp_path, HIT, "blackjack-x") as house:
        path = f"alerts/{house.view().alarms[0].number}/acknowledgement"
        assert (await house.post_previewed("Dee", path)).status_code == 403
        assert (await house.post_previewed("Ann", path)).status_code == 204
        late = await house.post_previewed("Ted", path)
        assert (late.status_code, late.json()["detail"][-15:]) == (409, "knowledged by Ann"[-15:])
        assert house.view().acknowledged[0].who == "Ann"


async def test_a_supervisor_takes_a_key_back(tmp_path: Path) -> None:
    async with open_table(tmp_path, f"{PLAYED} 1:stand", "ez-bust") as house:
        word = {"choice": "undo", "why": "the wrong seat"}
        seen = (await house.post_previewed("Ann", "decisions/preview", **word)).json()
        assert any("players have seen it" in sentence for sentence in seen["sentences"])
        assert (
            await house.post_previewed("Ann", "decisions", **word, token=seen["token"])
        ).status_code == 204
        assert house.view().dealer.cards == ("9c", "??")
        (kept,) = map(json.loads, house.rows_of("key undone"))
        assert (kept["action"], kept["seat"], kept["who"]) == ("stand", 1, "Ann")


async def test_a_reason_that_cannot_be_seen_is_refused(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        why = "U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"
        for who, path, body in (
            ("Ann", "decisions", {"choice": "reload", "token": "-.-.0"}),
            ("Ann", "claims/1/steps", {"step": "verify"}),
            ("Ann", "meters/blazing-7s", {"cents": 100}),
            ("Dee", "requests", {"about": "help"}),
            ("Ann", "requests/1/answer", {"grant": False}),
            ("Ted", "test-mode", {"on": True}),
        ):
            refused = await house.post(who, path, **body, why="seen\u202e by eye")
            assert (refused.status_code, why in refused.text) == (422, True), path
        entry = {"choice": "entry", "why": "new lamp", "device": "shoe", "licence": "L\u200b7"}
        refused = await house.post("Ted", "decisions", **entry)
        assert (refused.status_code, "U+200B (ZERO WIDTH SPACE)" in refused.text) == (422, True)
