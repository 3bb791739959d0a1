"""Requests at random: valid ones, broken ones, and everything between.

`python -m tests.controller.socket.fuzzed --seconds 300 --seed 7` sends them to a table until it breaks a
promise or the time is over.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from controller.socket.codes import Code
from controller.socket.lines import MOST_LINE
from controller.socket.methods import METHODS
from tests.fixtures.access_desk import FROM, PASSWORD, PIN
from tests.fixtures.core_table import CoreTable, open_core

GAME: Final = "blackjack-x"
ANSWER = 60.0
"""Seconds that a table may take to answer."""
PLAYED: Final = ("", "1:main=500 close", "1:main=500 1:blazing-7s=100 close", "1:main=500 close 8h 9c 9d Kc")
SLOW: Final = frozenset({"sign_in", "set_secret"})
"""Methods that start a process for a secret."""
STRANGE: Final[Sequence[object]] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 2**64, 10**40, 0.5, -0.0, 1e308),
    *("", " ", "x", "\0", "\u202e", "\ud800", "\U0001f0a1", "Ann", "Dee", "x" * 5_000, "9h", "shoe", "1"),
    *([], {}, [[]], [1, 2], {"a": {"b": []}}, {"": 1}),
)
BYTES: Final = (
    *(b"", b"{", b"[]", b"null", b"1e999", b"\xff\xfe", b"\x00", b'"\\ud800"', b"[" * 3_000, b" " * 70_000),
    *(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"hello"}', b'{"jsonrpc":"2.0","id":1,"method":"\\u0000"}'),
    *(b'{"jsonrpc":"2.0","id":1e2,"method":"health"}', b'{"jsonrpc":"2.0","id":"\\ud800","method":"hello"}'),
)
IDS: Final[Sequence[object]] = (1, 0, -5, 2**52, "a", "x" * 64, "x" * 65, None, 1.5, True, [], 2**80)


@dataclass
class Fuzz:
    """`texts`: what the table answered, such as tokens, which later requests use again. `asked`: the
    parameters of previews, by the id of their requests; `ready`: those that the table answered, as acts."""

    random: Random
    texts: list[str]
    asked: dict[object, Any] = field(default_factory=dict)
    ready: list[dict[str, Any]] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)

    def line(self) -> bytes:
        """A line without its end."""
        if self.random.random() < 0.05:
            return self.random.choice(BYTES)
        name = self.random.choice([*METHODS, *["act", "preview"] * 8, "fly"])
        if name in SLOW and self.random.random() < 0.9:
            name = "act"
        number = self.random.choice(IDS) if self.random.random() < 0.1 else self.random.randrange(1000)
        params = self.params(name)
        if self.ready and self.random.random() < 0.2:
            name, params = "act", self.random.choice(self.ready[-9:])
        if name == "preview" and isinstance(number, int):
            self.asked[number] = params
        request = {"jsonrpc": "2.0", "id": number, "method": name, "params": params}
        if self.random.random() < 0.03:
            del request[self.random.choice([*request])]
        line = json.dumps(request, ensure_ascii=self.random.random() < 0.5).encode(errors="surrogatepass")
        return self.torn(line) if self.random.random() < 0.03 else line

    def params(self, name: str) -> object:
        if name not in METHODS or self.random.random() < 0.02:
            return self.random.choice(STRANGE)
        schema = _schema(name)
        return self.value(schema, schema.get("$defs", {}))

    def take(self, number: object, result: object) -> None:
        """The table's result for the request with this id."""
        texts = (
            {name: text for name, text in result.items() if isinstance(text, str)}
            if isinstance(result, dict)
            else {}
        )
        self.texts += [text for text in texts.values() if 0 < len(text) < 100]
        preview = self.asked.pop(number, None)
        if preview and "token" in texts:
            ((name, body),) = preview["act"].items()
            acted = {name: {**body, "token": texts["token"], "why": "seen"}}
            self.ready.append({**preview, "act": acted, "id": f"ready-{len(self.ready)}"})

    def torn(self, line: bytes) -> bytes:
        """The line with some of its bytes missing, twice there, or changed."""
        at = self.random.randrange(len(line))
        middle = self.random.choice([b"", line[at : at + 9] * 2, self.random.randbytes(3)])
        return (line[:at] + middle + line[at + 3 :]).replace(b"\n", b" ")

    def value(self, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> object:
        """A value that the schema allows, or seldom a strange one."""
        if self.random.random() < 0.01:
            return self.random.choice(STRANGE)
        if "$ref" in schema:
            return self.value(defs[schema["$ref"].rpartition("/")[2]], defs)
        if options := schema.get("anyOf") or schema.get("enum"):
            chosen = self.random.choice(options)
            return self.value(chosen, defs) if "anyOf" in schema else chosen
        make: dict[str, Callable[[], object]] = {
            "object": lambda: self.fields(schema, defs),
            "array": lambda: [self.value(schema["items"], defs) for _ in range(self.random.randint(1, 3))],
            "string": lambda: self.random.choice(
                [*self.texts[-40:], *self.texts[:8], "seen", "9h", "shoe", FROM]
            ),
            "integer": lambda: self.random.choice([0, 1, 2, 3, 7, 100, 500, 2**40]),
            "boolean": lambda: self.random.random() < 0.5,
            "null": lambda: None,
        }
        return schema["const"] if "const" in schema else make[schema.get("type", "string")]()

    def fields(self, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, object]:
        """Fields of an object: one of them if it is an act, else the needed ones and some others."""
        known: Mapping[str, Any] = schema.get("properties", {})
        needed = {*schema.get("required", ())}
        if known and not needed and all("anyOf" in one for one in known.values()):
            needed, known = set(), {(name := self.random.choice([*known])): known[name]}
            return {name: self.value(known[name]["anyOf"][0], defs)}
        chosen = [name for name in known if name in needed or self.random.random() < 0.3]
        made = {name: self.value(known[name], defs) for name in chosen}
        return made | self.known_texts(made)

    def known_texts(self, made: Mapping[str, object]) -> dict[str, object]:
        """Often what makes a request succeed."""
        right: dict[str, object] = {}
        if "token" in made and ("act" in made or len(made) == 1):
            right["token"] = self.random.choice(self.texts[:6])
        if made.get("kind") in ("password", "pin") and "secret" in made:
            right["secret"] = PASSWORD if made["kind"] == "password" else PIN
        if made.get("override") is not None and self.random.random() < 0.7:
            right["override"] = None
        return right if self.random.random() < 0.8 else {}


@cache
def _schema(name: str) -> dict[str, Any]:
    return METHODS[name].params.model_json_schema()


async def sent(fuzz: Fuzz, core: CoreTable, count: int) -> None:
    """Sends so many lines to the table, some through connections that end meanwhile. Raises AssertionError
    where a promise is broken."""
    failed: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failed.append(context))
    while count > 0:
        lines = [fuzz.line() for _ in range(fuzz.random.randint(1, 12))]
        count -= len(lines)
        await _connection(fuzz, core, lines)
        assert core.at.table.failed is None, (core.at.table.failed, lines)
        assert not failed, (failed, lines)
    async with core.wire() as wire:
        assert (await wire.call("hello"))["result"]["table"] == "T"


async def _connection(fuzz: Fuzz, core: CoreTable, lines: Sequence[bytes]) -> None:
    """One client: it sends the lines in pieces, and reads the answers or ends before."""
    async with core.wire() as wire:
        data = b"".join(line + b"\n" for line in lines)
        pieces = sorted(fuzz.random.randrange(len(data)) for _ in range(3))
        for begin, end in zip([0, *pieces], [*pieces, len(data)], strict=True):
            wire.writer.write(data[begin:end])
            await asyncio.sleep(0)
        if fuzz.random.random() < 0.1:
            return
        answers, too_long = 0, max(map(len, lines)) >= MOST_LINE
        with suppress(ConnectionResetError) if too_long else nullcontext():
            while answers < len(lines) and (line := await asyncio.wait_for(wire.reader.readline(), ANSWER)):
                assert len(line) <= MOST_LINE, lines
                message = json.loads(line)
                if "method" not in message:
                    answers += 1
                    _judge(fuzz, message, lines)
        assert answers == len(lines) or too_long, (answers, lines)


def _judge(fuzz: Fuzz, message: Mapping[str, Any], lines: Sequence[bytes]) -> None:
    if error := message.get("error"):
        fuzz.met[str(error["code"])] += 1
        assert error["code"] in {*Code} - {Code.FAILED}, (error, lines)
        assert error["message"], lines
        return
    fuzz.met["result"] += 1
    fuzz.take(message["id"], message["result"])


async def searched(seed: int, count: int) -> Counter[str]:
    """What the answers of one table to so many lines were."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        async with open_core(path, random.choice(PLAYED), GAME) as core:
            fuzz = Fuzz(random, [*core.tokens.values()])
            await sent(fuzz, core, count)
            core.access.sessions.end(core.tokens["Dee"], FROM)
            await sent(fuzz, core, count // 4)
            before = core.view()
            fuzz.met.update(row.content.kind for row in core.at.journal.since(0))
        async with open_core(path, "", GAME) as core:
            assert core.at.table.state.number >= before.round
    return fuzz.met


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.controller.socket.fuzzed")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end, seed, met = time.monotonic() + asked.seconds, asked.seed, Counter[str]()
    while time.monotonic() < end:
        print(f"seed {seed}", flush=True)
        met += asyncio.run(searched(seed, 1_000))
        seed += 1
    print(dict(met))


if __name__ == "__main__":
    main()
