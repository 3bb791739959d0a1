"""The evidence of one ended round as one file: the same journal gives the same bytes."""

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from controller.past.export.cells import encoded
from controller.past.export.evidence_sheets import claimed, confirmed, lit, sensed
from controller.past.export.lines import as_line, as_proof, stamp
from controller.past.export.proof import Proof
from controller.past.export.readme import README
from controller.past.replay.account import Account, account, script_of
from controller.past.replay.output import on_paper
from controller.past.replay.steps import Moment, moments

FORMAT = "tableside evidence 1"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Bundle:
    """What proves a round, by name of file; `manifest` names each of `members` with its SHA-256. What is
    said of its jackpots, and corrected later, is in `later`: it grows, and changes nothing of the rest."""

    members: Mapping[str, bytes]
    manifest: bytes
    later: Mapping[str, bytes]

    @property
    def hash(self) -> str:
        """The evidence's hash: SHA-256 of the manifest, in hex."""
        return _sha256(self.manifest)


def evidence(proof: Proof) -> Bundle:
    """The bundle of a round. Raises JournalError for rows that make no sense."""
    told = account(proof.kept)
    members = _members(proof, told)
    manifest = _json(_manifest(proof, told, members))
    return Bundle(members, manifest, _later(proof))


def packed(bundle: Bundle, number: int) -> bytes:
    """One tar: files in a fixed order, of nobody, at the beginning of time."""
    named = {MANIFEST: bundle.manifest, **bundle.members, **bundle.later}
    sums = "".join(f"{_sha256(content)}  {name}\n" for name, content in named.items())
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in {**named, "SHA256SUMS": sums.encode("ascii")}.items():
            member = tarfile.TarInfo(f"round-{number}/{name}")
            member.size, member.mode = len(content), 0o600
            tar.addfile(member, io.BytesIO(content))
    return written.getvalue()


def _members(proof: Proof, told: Account) -> dict[str, bytes]:
    seen: tuple[Moment, ...] = () if told.unplayed else moments(proof.kept)
    return {
        "README.txt": encoded(README),
        "rows.jsonl": b"".join(map(as_proof, proof.rows)),
        "round.json": _json(asdict(proof.kept.ended.round)),
        "script.json": _json(script_of(told)),
        "steps.txt": encoded(on_paper(told)),
        "sensors.csv": sensed(seen),
        "lamps.csv": lit(seen),
        "confirmations.csv": confirmed(proof.rows),
    }


def _later(proof: Proof) -> dict[str, bytes]:
    found = {
        "claims.csv": claimed(proof.claims) if proof.claims else b"",
        "corrections.jsonl": b"".join(map(as_line, proof.corrections)),
    }
    return {name: content for name, content in found.items() if content}


def _manifest(proof: Proof, told: Account, members: Mapping[str, bytes]) -> dict[str, Any]:
    ending, signing = proof.ending, proof.checkpoint
    return {
        "format": FORMAT,
        "table": proof.house.table,
        "game": proof.house.game,
        "round": proof.kept.number,
        "outcome": proof.kept.ended.round.outcome,
        "ended": stamp(proof.kept.at),
        "versions": {"played": proof.house.version, "exported": version("tableside")},
        "rules agree": told.verdict.agrees,
        "not replayed": told.unplayed or None,
        "rows": {"first": proof.rows[0].row, "round": ending.row, "last": proof.rows[-1].row},
        "chain": {
            "before": proof.before.hex(), "round": ending.hash.hex(), "after": proof.rows[-1].hash.hex()
        },
        "checkpoint": json.loads(signing.content.body) if signing else None,
        "members": {
            name: {"bytes": len(content), "sha256": _sha256(content)} for name, content in members.items()
        },
    }  # fmt: skip


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode("ascii") + b"\n"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
