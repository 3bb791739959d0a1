"""Requests and their answers over HTTP: a dealer asks, supervisors answer."""

import asyncio
import json
from pathlib import Path

from controller.table.state.table_state import ROUNDS_KEPT
from tests.controller.monitor.api.tables import ApiTable, open_table

PLAYED = "1:main=500 2:main=500 close 8h 7d 9c 8s Tc 9d 1:stand"
FED = "1:main=500 1:blazing-7s=100 close 9h 9d 9s"


async def undo(house: ApiTable) -> int:
    answer = await house.post_previewed("Dee", "requests", about="undo", why="wrong seat")
    assert answer.status_code == 201, answer.text
    return int(answer.json()["number"])


async def test_a_supervisor_grants_what_a_dealer_asks_for(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        number = await undo(house)
        listed = (await house.ask("Ann", "requests")).json()
        assert [one["about"] for one in listed["open"]] == ["undo"]
        seen = (await house.ask("Ann", f"requests/{number}/preview")).json()
        assert seen["sentences"][0] == "Stand of seat 1 is taken back"
        answer = await house.post_previewed(
            "Ann", f"requests/{number}/answer", grant=True, token=seen["token"]
        )
        assert (answer.status_code, answer.json()["state"]) == (200, "granted")
        assert house.view().prompt_seat == 1
        listed = (await house.ask("Aud", "requests")).json()
        assert (listed["open"], listed["answered"][0]["who"]) == ([], "Ann")


async def test_the_later_of_two_supervisors_who_answer_is_told_who_was_first(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        path = f"requests/{await undo(house)}/answer"
        ann, bob = await asyncio.gather(
            house.post_previewed("Ann", path, grant=True),
            house.post_previewed("Bob", path, grant=False, why="play on"),
        )
        first, late = ("Ann", bob) if ann.status_code == 200 else ("Bob", ann)
        assert late.status_code == 409
        became = "granted" if first == "Ann" else "declined"
        assert late.json() == {"detail": f"request 1 was {became} by {first}"}
        (refusal,) = map(json.loads, house.rows_of("refusal"))
        assert (refusal["action"], refusal["who"]) == ("answer", "Bob" if first == "Ann" else "Ann")
        assert len(house.rows_of("answered")) == 1


async def test_a_decision_that_moves_a_jackpot_asks_another_supervisor(tmp_path: Path) -> None:
    async with open_table(tmp_path, FED, "blackjack-x") as house:
        asked = await house.post_previewed("Ann", "decisions", choice="void", why="fouled")
        assert (asked.status_code, asked.json()["about"]) == (202, "void")
        number = asked.json()["number"]
        own = await house.post_previewed("ANN", f"requests/{number}/answer", grant=True)
        assert own.status_code == 409
        assert house.view().round == 1
        assert (await house.post_previewed("Bob", f"requests/{number}/answer", grant=True)).status_code == 200
        kept = json.loads(house.rows_of("meter")[-1])
        assert (kept["kind"], kept["who"], kept["second"]) == ("correction", "Ann", "Bob")
        assert house.view().round == 2


async def test_a_meter_is_corrected_by_two(tmp_path: Path) -> None:
    async with open_table(tmp_path, "", "blackjack-x") as house:
        asked = await house.post_previewed("Ann", "meters/blazing-7s", cents=2_000_000, why="counted")
        assert (asked.status_code, asked.json()["about"]) == (201, "meter")
        answer = await house.post_previewed("Bob", "requests/1/answer", grant=True)
        assert answer.json()["state"] == "granted"
        assert house.view().meters[0].cents == 2_000_000
        nowhere = await house.post_previewed("Ann", "meters/blazing-8s", cents=100, why="counted")
        assert (nowhere.status_code, "there is no jackpot" in nowhere.json()["detail"]) == (409, True)


async def test_who_asked_withdraws_it_and_other_dealers_do_not(tmp_path: Path) -> None:
    async with open_table(tmp_path) as house:
        await house.post_previewed("Dee", "requests", about="help", why="a quarrel")
        assert (await house.post_previewed("Don", "requests/1/answer", grant=False)).status_code == 409
        assert (await house.post_previewed("Dee", "requests/1/answer", grant=True)).status_code == 409
        house.at.table.state.number += 2 * ROUNDS_KEPT  # as if nobody had come for hours
        answer = await house.post_previewed("Dee", "requests/1/answer", grant=False)
        assert answer.json()["state"] == "withdrawn"


async def test_a_request_with_wrong_fields_is_refused(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED, "ez-bust") as house:
        for wrong in (
            {"about": "raise", "why": "more"},
            {"about": "undo"},
            {"about": "undo", "why": " "},
            {"about": "undo", "why": "x", "seat": 1},
            {"about": "correct", "why": "x", "seat": 1},
        ):
            answer = await house.post_previewed("Dee", "requests", **wrong)
            assert answer.status_code == 422, wrong
            assert all({"loc", "msg", "type"} <= one.keys() for one in answer.json()["detail"])
        assert (await house.post_previewed("Ted", "requests", about="help", why="x")).status_code == 403
        assert (await house.post_previewed("Ann", "requests/0/answer", grant=True)).status_code == 422
        assert (await house.post_previewed("Ann", "requests/9/answer", grant=True)).status_code == 409
        assert (await house.ask("Ann", "requests/9/preview")).status_code == 409
