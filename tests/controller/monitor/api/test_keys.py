"""The dealer's keys on a screen, over HTTP."""

import asyncio
import json
from pathlib import Path
from typing import get_args

from controller.round.keys import Action
from drivers.protocol.codes import KEYS
from tests.controller.monitor.api.tables import open_table

IN = "1:main=500 2:main=500"
PLAYED = f"{IN} close 5h 7d 9c 6d Kc"


def test_the_api_takes_the_keys_of_the_console() -> None:
    assert {*get_args(Action)} == {*KEYS}


async def test_a_key_is_taken_by_who_is_signed_in(tmp_path: Path) -> None:
    async with open_table(tmp_path, IN) as house:
        answer = await house.post_previewed("Dee", "keys", action="close", round=1)
        assert (answer.status_code, answer.content) == (204, b"")
        assert house.view().phase != "betting"
        (kept,) = house.rows_of("console key")
        assert json.loads(kept)["who"] == "Dee"


async def test_a_press_that_is_told_twice_is_taken_once(tmp_path: Path) -> None:
    async with open_table(tmp_path, IN) as house:
        first = [await house.post_previewed("Dee", "keys", action="close", press="a-1") for _ in range(3)]
        assert [answer.status_code for answer in first] == [204, 204, 204]
        assert len(house.rows_of("console key")) == 1
        assert house.rows_of("refusal") == []
        other = await house.post_previewed("Don", "keys", action="close", press="a-1")
        assert other.status_code == 409


async def test_a_round_that_was_voided_meanwhile_takes_no_key(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED) as house:
        seat = house.view().prompt_seat
        assert (
            await house.post_previewed("Ann", "decisions", choice="void", why="smudged")
        ).status_code == 204
        house.play("close 5h 7d 9c 6d Kc")
        late = await house.post_previewed("Dee", "keys", action="stand", seat=seat, round=1)
        assert late.status_code == 409
        assert late.json() == {"detail": "round 1 is void: stand was pressed too late"}
        refusal = json.loads(house.rows_of("refusal")[-1])
        assert (refusal["action"], refusal["seat"], refusal["who"]) == ("stand", seat, "Dee")
        assert house.view().round == 2


async def test_what_is_no_key_is_not_understood(tmp_path: Path) -> None:
    async with open_table(tmp_path) as house:
        for wrong in (
            {"action": "fold"},
            {"action": "hit", "seat": 70},
            {"action": "hit", "who": "Ann"},
            {},
            {"action": "double", "cents": 0},
            {"action": "hit", "press": "no blanks"},
        ):
            assert (await house.post_previewed("Dee", "keys", **wrong)).status_code == 422, wrong
        assert (await house.post_previewed("Dee", "keys", action="hit", seat=1)).status_code == 409
        assert (await house.post_previewed("Ann", "keys", action="hit", seat=1)).status_code == 403
        assert (await house.post_previewed("", "keys", action="hit", seat=1)).status_code == 401


async def test_a_key_and_the_end_of_its_round_at_once(tmp_path: Path) -> None:
    async with open_table(tmp_path, PLAYED) as house:
        seat = house.view().prompt_seat
        void, key = await asyncio.gather(
            house.post_previewed("Ann", "decisions", choice="void", why="smudged"),
            house.post_previewed("Dee", "keys", action="stand", seat=seat, round=1),
        )
        assert void.status_code == 204
        assert key.status_code in {204, 409}
        assert len(house.rows_of("console key")) + len(house.rows_of("refusal")) == 1
        assert house.view().rounds[0].outcome == "void"
