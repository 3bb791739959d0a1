"""The command `tableside`. To add a command, add a module to this package and a row to COMMANDS.

The module of a command declares arguments, options and help. What the command does is a module in
`handlers`, which the command imports when it runs: that takes up to a second of a processor to load, and
help must come at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

import typer

from controller.commands.lazy_group import Entry, LazyGroup, load_command
from controller.commands.version import print_version


@dataclass(frozen=True, slots=True)
class Command:
    """`name`: the words after `tableside`. `target`: where it is, as "module:function" or "module:group" in
    this package. `summary`: the first paragraph of its help. `older`: its name before there were groups; it
    goes on working."""

    name: str
    target: str
    summary: str
    older: str = ""

    @property
    def group(self) -> str:
        return self.name.rpartition(" ")[0]

    def entry(self, *, panel: str = "", hidden: bool = False) -> Entry:
        return Entry(self.summary, partial(load_command, self.target), panel, hidden)


COMMANDS: Final[tuple[Command, ...]] = (
    Command("demo", "demo:demo", "Play a table on simulated hardware."),
    Command(
        "doctor",
        "doctor:doctor_command",
        "Examine a table and its computer: what is wrong, and what to do.",
    ),
    Command("table run", "run:run_command", "Run the daemon of one table until SIGTERM or Ctrl-C.", "run"),
    Command("table web", "web:web_command", "Serve the pages, the API and the metrics of one table.", "web"),
    Command(
        "table uplink", "uplink:uplink", "Send the table's journal to the floor of the property.", "uplink"
    ),
    Command(
        "table bridge",
        "bridge:bridge",
        "Send events of the table to other systems, over MQTT and as webhooks.",
    ),
    Command(
        "table check",
        "check_config:check_command",
        "Check a table's configuration: its faults, and where it gives the player the edge.",
        "check-config",
    ),
    Command(
        "table supervise",
        "supervise:supervise_command",
        "Decide about a suspended round of a running table, or correct a misread card.",
        "supervise",
    ),
    Command(
        "table jackpots",
        "jackpots:jackpots_command",
        "Show the jackpots of a table with their books, parameters, claims and last hits.",
        "jackpots",
    ),
    Command(
        "table claim", "claim:claim_command", "Take the claim of a won jackpot one step further.", "claim"
    ),
    Command(
        "table meter",
        "meter:meter_command",
        "Correct what a jackpot's meter shows, between rounds, in the names of two supervisors.",
        "meter",
    ),
    Command(
        "table kiosk",
        "kiosk:kiosk_command",
        "Show the dealer's console on this machine's screen, and nothing else.",
        "kiosk",
    ),
    Command(
        "table certificate",
        "certificate:certificate_command",
        "Show the certificate of the pages of a table or a floor, or make one.",
        "certificate",
    ),
    Command(
        "table manifest", "manifest:manifest", "List the program's own files with their hashes.", "manifest"
    ),
    Command(
        "journal replay",
        "replay:replay_command",
        "Show ended rounds of a journal card by card, and settle each once more by the rules.",
        "replay",
    ),
    Command(
        "journal report",
        "report:report_command",
        "Count a shift or a gaming day: rounds, pace, wagers, hits, meters, devices, people.",
        "report",
    ),
    Command(
        "journal verify",
        "verify:verify_command",
        "Check a whole journal: chain, signatures, meters, money, mirror.",
        "verify",
    ),
    Command(
        "journal export",
        "export:export_command",
        "Write what a journal keeps as JSON Lines, as a sheet, or as the evidence of one round.",
        "export",
    ),
    Command(
        "journal slip",
        "slip:slip_command",
        "Write the slip of a won jackpot as one HTML page, to print, to sign and to keep.",
        "slip",
    ),
    Command(
        "journal confirm",
        "confirm:confirm_command",
        "Accept a journal that cannot prove that it is whole, or that it is this table's.",
        "confirm",
    ),
    Command(
        "journal shuffles",
        "shuffles:shuffles_command",
        "Test how well the shoes of a journal were shuffled.",
        "shuffles",
    ),
    Command(
        "device list",
        "devices:devices",
        "Show the ports of this machine and the devices of a table: who they are, how they are, what to do.",
        "devices",
    ),
    Command(
        "device provision",
        "provision:provision",
        "Make the key of a device and store it where only the service can read it.",
        "provision",
    ),
    Command("device update", "update:update", "Put new firmware into a device of a closed table.", "update"),
    Command(
        "device replace-maker-key",
        "replace_maker_key:replace_maker_key",
        "Let a device of a closed table trust another key of its maker.",
    ),
    Command(
        "device sniff",
        "sniff:sniff",
        "Show the messages on a line until Ctrl-C, then how many there were of each.",
        "sniff",
    ),
    Command(
        "device decode",
        "decode:decode",
        "Print each message of a capture as text, noise as noise, and how much there was of each.",
        "decode",
    ),
    Command(
        "device conformance",
        "conformance:conformance",
        "Put a device through the whole specification of the link, faults included.",
        "conformance",
    ),
    Command(
        "device sign-update",
        "sign_update:sign_update",
        "Sign firmware, so that devices of this maker accept it.",
        "sign-update",
    ),
    Command(
        "device sign-maker-key",
        "sign_maker_key:sign_maker_key_command",
        "Sign the key with which a maker signs firmware, so that devices trust it.",
    ),
    Command("people add", "users:add", "Make an account: a dealer's with a PIN, others' with a password."),
    Command("people list", "users:list_users", "Show all accounts, without their secrets."),
    Command(
        "people role", "users:role", "Give a person another role; password, PIN and badge must be set anew."
    ),
    Command(
        "people places",
        "users:places",
        "At a floor: set the tables and pits where a person may work and sign in.",
    ),
    Command("people password", "users:password", "Set a password: 12 characters or more."),
    Command("people pin", "users:pin", "Set a dealer's PIN: 4 to 8 digits."),
    Command("people badge", "users:badge", "Give a dealer a badge: hold it to the reader when asked."),
    Command("people lock", "users:lock", "Sign a person out, and refuse them until they are unlocked."),
    Command("people unlock", "users:unlock", "Let a person in again, also after too many wrong PINs."),
    Command(
        "people token",
        "read_tokens:token",
        "Make, list and revoke tokens with which other systems read the API.",
    ),
    Command("people remove", "users:remove", "Delete an account; what the person did stays in the journal."),
    Command(
        "game list",
        "game_list:list_command",
        "List all games, those of installed plug-ins too, and the side bets of plug-ins.",
    ),
    Command(
        "game new",
        "game_new:new_command",
        "Begin a game of your own: a folder with its rules, its tests and its packaging.",
    ),
    Command(
        "game odds",
        "odds:odds_command",
        "Show exact probabilities and house edges, by enumeration from a fresh shoe.",
        "odds",
    ),
    Command(
        "game simulate",
        "simulate:simulate_command",
        "Play many rounds by good strategy, and show the house edge of each wager.",
        "simulate",
    ),
    Command(
        "game optimize",
        "optimize:optimize_command",
        "Try every letter of a game's strategy charts, and show which can be bettered.",
    ),
    Command(
        "game settle",
        "settle:settle_command",
        "Settle rounds that are written down as text, one JSON object a line.",
        "settle",
    ),
    Command(
        "game diagram",
        "diagram:diagram_command",
        "Print the state machine of a round, as a Mermaid diagram.",
        "diagram",
    ),
    Command("floor demo", "floor_demo:floor_demo", "Play a whole floor on simulated hardware."),
    Command(
        "floor drill",
        "floor_drill:drill",
        "Try what the floor promises: servers are killed, disks put back, journals copied.",
    ),
    Command(
        "floor prepare",
        "floor:prepare",
        "Make the floor's key, the keys and files of the servers, and the streams.",
    ),
    Command("floor run", "floor:run", "Store what the tables send, until SIGTERM."),
    Command(
        "floor admit",
        "floor:admit",
        "Let the floor store a table's journal. Two supervisors type their passwords.",
    ),
    Command(
        "floor remove",
        "floor:remove",
        "Let the floor store no more of a table's journal; what is stored stays.",
    ),
    Command(
        "floor revoke",
        "floor:revoke",
        "Let the servers admit a table no more. Two supervisors type their passwords.",
    ),
    Command(
        "floor accept-gap",
        "floor:accept_gap",
        "Go on after rows that are lost for good. Two supervisors type their passwords.",
    ),
    Command(
        "floor incidents",
        "floor:incidents",
        "List what the floor did not store, and what to do. Status 1: there is something.",
    ),
    Command("floor settle", "floor:settle", "End an incident that two supervisors have looked into."),
    Command(
        "floor journal", "floor:journal", "Write what the floor has of a table's journal as a journal file."
    ),
    Command(
        "floor notice",
        "floor_notice:notice_command",
        "Announce a test or an installation of software on the live floor.",
    ),
    Command(
        "floor notices",
        "floor_notice:notices_command",
        "List the notices of tests and installations, the one that begins last first.",
    ),
    Command(
        "floor rebuild",
        "floor_stored:rebuild_command",
        "Derive rounds, actions, events, hits and readings of a day again from its rows.",
    ),
    Command(
        "floor verify",
        "floor_stored:verify_command",
        "Check everything that the floor has stored, again from the rows. Status 1: something is wrong.",
    ),
    Command("floor search", "floor_stored:search_command", "Find rounds at all tables, newest first."),
    Command(
        "floor report",
        "floor_report:report_command",
        "Count a gaming day or a shift by table, pit, shift, dealer and game.",
    ),
    Command("floor level", "floor_level:level", "Show a level of a linked progressive, and decide about it."),
    Command(
        "floor progressive",
        "progressive:progressive_command",
        "Run one of the two instances of a linked progressive.",
        "progressive",
    ),
)

GROUPS: Final[Mapping[str, str]] = {
    "table": """Run a table, check its configuration, and act on it while it plays.

Example: tableside table run --config table.toml
""",
    "journal": """Read what a table has written: rounds, reports, proofs.

Example: tableside journal replay table.journal --last 1
""",
    "device": """Find, test, key and update the devices of a table.

Example: tableside device list --config table.toml
""",
    "people": """Manage who may sign in at a table, and in which role.

Example: tableside people add "Ann Lee" --role supervisor --config table.toml
""",
    "game": """Compute what a game pays, and how often.

Example: tableside game odds easy-jack
""",
    "floor": """Store the journals of all tables of a property in one place.

Example: tableside floor run --config floor.toml
""",
}
"""The help of each group."""
OLDER_GROUPS: Final[Mapping[str, str]] = {"users": "people"}
"""Groups that had another name, by that name."""
START: Final = "Start here"
SUBJECTS: Final = "By subject"


def _entries() -> Iterator[tuple[str, Entry]]:
    """Those of `tableside` itself."""
    for command in COMMANDS:
        if not command.group:
            yield command.name, command.entry(panel=START)
    for name in GROUPS:
        yield name, _group_entry(name, panel=SUBJECTS)
    for older, name in OLDER_GROUPS.items():
        yield older, _group_entry(name, hidden=True)
    for command in COMMANDS:
        if command.older:
            yield command.older, command.entry(hidden=True)


def _group_entry(name: str, *, panel: str = "", hidden: bool = False) -> Entry:
    summary = GROUPS[name].partition("\n")[0]
    return Entry(summary, partial(_load_group, name), panel, hidden)


def _load_group(name: str) -> LazyGroup:
    entries = {
        command.name.removeprefix(f"{name} "): command.entry()
        for command in COMMANDS
        if command.group == name
    }
    return LazyGroup(entries, name=name, help=GROUPS[name], no_args_is_help=True)


class CommandLine(LazyGroup):
    """All of `tableside`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(dict(_entries()), **settings)


app = typer.Typer(cls=CommandLine, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False)


def _show_version(requested: bool) -> None:
    if requested:
        print_version()
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """The controller of a casino card table. To see one play, without any hardware: tableside demo"""
