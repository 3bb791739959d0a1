"""The evidence of one ended round as one tar file. The same journal always gives the same bytes."""

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from controller.journal.chain import JournalRow
from controller.past.export.cells import utf8
from controller.past.export.evidence_sheets import (
    claim_sheet,
    confirmation_sheet,
    lamp_sheet,
    seal_sheet,
    sensor_sheet,
)
from controller.past.export.lines import as_line, as_proof, iso_time
from controller.past.export.proof import NoRound, RoundProof, prove
from controller.past.export.readme import README
from controller.past.replay.account import RoundAccount, account_of, script_of
from controller.past.replay.output import as_text
from controller.past.replay.steps import InputMoment, moments

FORMAT = "tableside evidence 1"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class EvidenceBundle:
    """The files that prove a round, by name. `manifest` lists each of `members` with its SHA-256. Later steps
    of claims and later corrections are in `later`, which grows without changing the rest."""

    members: Mapping[str, bytes]
    manifest: bytes
    later: Mapping[str, bytes]

    @property
    def hash(self) -> str:
        """The SHA-256 of the manifest, in hex: the hash of the evidence."""
        return _sha256(self.manifest)


def evidence(proof: RoundProof) -> EvidenceBundle:
    """Raises JournalError for rows that make no sense."""
    account_ = account_of(proof.round)
    members = _members(proof, account_)
    manifest = _json(_manifest(proof, account_, members))
    return EvidenceBundle(members, manifest, _later_members(proof))


def evidence_hash(rows: Sequence[JournalRow], number: int) -> str:
    """The hash that `tableside journal export --evidence` prints for a round, from the rows near it; empty if
    the round has not ended. Raises JournalError."""
    try:
        return evidence(prove(rows, number)).hash
    except NoRound:
        return ""


def as_tar(bundle: EvidenceBundle, number: int) -> bytes:
    """A tar with the files in a fixed order, without owner and time."""
    named = {MANIFEST: bundle.manifest, **bundle.members, **bundle.later}
    sums = "".join(f"{_sha256(content)}  {name}\n" for name, content in named.items())
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in {**named, "SHA256SUMS": sums.encode("ascii")}.items():
            member = tarfile.TarInfo(f"round-{number}/{name}")
            member.size, member.mode = len(content), 0o600
            tar.addfile(member, io.BytesIO(content))
    return written.getvalue()


def _members(proof: RoundProof, round_account: RoundAccount) -> dict[str, bytes]:
    seen: tuple[InputMoment, ...] = () if round_account.unplayed else moments(proof.round)
    sealed = seal_sheet(proof.rows)
    return {
        "README.txt": utf8(README),
        "rows.jsonl": b"".join(map(as_proof, proof.rows)),
        "round.json": _json(asdict(proof.round.ended.round)),
        "script.json": _json(script_of(round_account)),
        "steps.txt": utf8(as_text(round_account)),
        "sensors.csv": sensor_sheet(seen),
        "lamps.csv": lamp_sheet(seen),
        "confirmations.csv": confirmation_sheet(proof.rows),
        **({"seals.csv": sealed} if sealed else {}),
    }


def _later_members(proof: RoundProof) -> dict[str, bytes]:
    found = {
        "claims.csv": claim_sheet(proof.claims) if proof.claims else b"",
        "corrections.jsonl": b"".join(map(as_line, proof.corrections)),
    }
    return {name: content for name, content in found.items() if content}


def _manifest(proof: RoundProof, round_account: RoundAccount, members: Mapping[str, bytes]) -> dict[str, Any]:
    ending, signing = proof.ending, proof.checkpoint
    return {
        "format": FORMAT,
        "table": proof.identity.table,
        "game": proof.identity.game,
        "round": proof.round.number,
        "outcome": proof.round.ended.round.outcome,
        "ended": iso_time(proof.round.at),
        "versions": {"played": proof.identity.version, "exported": version("tableside")},
        "rules agree": round_account.verdict.agrees,
        "not replayed": round_account.unplayed or None,
        "rows": {"first": proof.rows[0].row, "round": ending.row, "last": proof.rows[-1].row},
        "chain": {
            "before": proof.before.hex(),
            "round": ending.hash.hex(),
            "after": proof.rows[-1].hash.hex(),
        },
        "checkpoint": json.loads(signing.content.body) if signing else None,
        "members": {
            name: {"bytes": len(content), "sha256": _sha256(content)} for name, content in members.items()
        },
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode("ascii") + b"\n"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
