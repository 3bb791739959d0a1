"""The methods of the table socket in one table: who may call them, with which parameters, and what they
do."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.access.errors import AccountsUnusable, WrongSecret
from controller.access.sessions import Session
from controller.socket import params as given
from controller.socket.acting import act, preview
from controller.socket.codes import CallError, Code
from controller.socket.core import Core
from controller.socket.params import PeerKind, ReportSubject, Topic
from controller.socket.peers import KINDS, Peer
from controller.socket.results import (
    AmountHeard,
    Hello,
    MetricsText,
    OtherSession,
    ReadTokenView,
    Roster,
    SessionList,
    SessionView,
    SignedIn,
    TableHealth,
)
from controller.socket.signed_acts import take_signed
from controller.socket.texts import RequestModel
from controller.table.record.events import DealerOn


class Caller(Protocol):
    """The client that calls."""

    peer: Peer
    kinds: frozenset[PeerKind]

    def become(self, kind: PeerKind) -> None:
        """From now on the client is of this kind only."""

    def subscribe(self, topics: frozenset[Topic]) -> None:
        """The client gets what changes in these topics, beginning with all of it."""


Handler = Callable[[Core, Caller, Any], Awaitable[object] | object]


@dataclass(frozen=True, slots=True)
class Method:
    """`kinds`: the clients that may call it; `when_halted`: also while the table is halted; `has_own_limit`:
    what it waits for has few places, so it does not count as one of the client's running requests. Strangers
    who sign in would otherwise hold up the people who use the same web server."""

    kinds: frozenset[PeerKind]
    params: type[RequestModel]
    call: Handler
    summary: str
    when_halted: bool = False
    has_own_limit: bool = False


def hello(core: Core, caller: Caller, params: given.HelloParams) -> Hello:
    if params.kind is not None:
        if params.kind not in caller.kinds:
            allowed = ", ".join(sorted(caller.kinds))
            raise CallError(Code.FORBIDDEN, f"this user cannot be {params.kind}; allowed: {allowed}")
        caller.become(params.kind)
    kind = next(iter(caller.kinds)) if len(caller.kinds) == 1 else "any"
    methods = tuple(name for name in METHODS if _kinds(name) & caller.kinds)
    epoch = core.table.state.epoch if core.table else ""
    return Hello(core.version, core.name, core.game, kind, methods, core.halted, epoch)


async def sign_in(core: Core, _caller: Caller, params: given.SignInParams) -> SignedIn:
    token, session = await core.accounts().sign_in(
        params.kind, params.name, params.secret, params.address, at_table=params.at_table
    )
    if session.person.role == "dealer":
        await core.desk().decide(DealerOn(session.person.name))
    language = core.accounts().accounts.language(session.person.name)
    return SignedIn(
        token, session.csrf, session.person, session.begun, session.until, session.failures, language
    )


def session(core: Core, _caller: Caller, params: given.SessionParams) -> SessionView | None:
    found = core.accounts().sessions.find(params.token, active=params.active)
    return _view(found) if found else None


def read_token(core: Core, _caller: Caller, params: given.ReadTokenParams) -> ReadTokenView:
    found = core.accounts().check_token(params.token, params.address)
    return ReadTokenView(found.name, found.until)


def sign_out(core: Core, _caller: Caller, params: given.SignOutParams) -> dict[str, object]:
    core.accounts().sessions.end(params.token, params.address)
    return {}


def sessions(core: Core, _caller: Caller, params: given.SessionsParams) -> SessionList:
    person = core.session(params.token).person
    known = core.accounts().sessions
    return SessionList(known.count(), _listed(known.all()) if person.role == "supervisor" else ())


async def set_secret(core: Core, _caller: Caller, params: given.SetSecretParams) -> dict[str, object]:
    person = core.session(params.token).person
    try:
        await core.accounts().new_secret(person, params.old, params.new, params.address)
    except WrongSecret as wrong:
        raise CallError(Code.REFUSED, str(wrong)) from None
    return {}


def set_language(core: Core, _caller: Caller, params: given.SetLanguageParams) -> dict[str, object]:
    person = core.session(params.token).person
    core.accounts().accounts.choose_language(person.name, params.language)
    return {}


def roster(core: Core, _caller: Caller, _params: given.NoParams) -> Roster:
    if core.access is None:
        return Roster(any=False, dealers=(), fault=core.accounts_fault())
    try:
        accounts = core.access.accounts.list_all()
    except AccountsUnusable as fault:
        return Roster(any=False, dealers=(), fault=fault.why)
    dealers = tuple(one.name for one in accounts if one.role == "dealer" and not one.locked)
    return Roster(bool(accounts), dealers, core.accounts_fault())


def forged(core: Core, _caller: Caller, params: given.ForgedParams) -> dict[str, object]:
    desk = core.accounts()
    found = desk.sessions.find(params.token, active=False) if params.token else None
    desk.report_forged(found.person if found else None, params.address, params.what)
    return {}


def amount(core: Core, _caller: Caller, params: given.AmountParams) -> AmountHeard:
    """A halted table hears nothing. Raises CallError if the table plays for no linked progressive."""
    core.desk()
    if core.progressive is None:
        raise CallError(Code.FORBIDDEN, NO_PROGRESSIVE)
    why = core.progressive.hear(params.signed.message)
    return AmountHeard(not why, why)


def subscribe(_core: Core, caller: Caller, params: given.SubscribeParams) -> dict[str, object]:
    for topic in UPLINK_TOPICS:
        if topic in params.topics and "uplink" not in caller.kinds:
            raise CallError(Code.FORBIDDEN, f"{topic}: not for this client; allowed: uplink")
    caller.subscribe(frozenset(params.topics))
    return {}


def report(core: Core, caller: Caller, params: given.ReportParams) -> dict[str, object]:
    kind = REPORTERS[params.about]
    if kind not in caller.kinds:
        raise CallError(Code.FORBIDDEN, f"{params.about}: not for this client; allowed: {kind}")
    core.report(params.about, params.why)
    return {}


def metrics(core: Core, _caller: Caller, _params: given.NoParams) -> MetricsText:
    return MetricsText(core.metrics())


def health(core: Core, _caller: Caller, _params: given.NoParams) -> TableHealth:
    if core.halted:
        return TableHealth("halted", (core.halted.why,), {}, core.accounts_fault())
    view = core.view()
    if view is None:
        raise CallError(Code.UNAVAILABLE, "the table halts")
    states = {device.name: device.state for device in view.devices}
    return TableHealth("suspended" if view.suspended else "ok", view.suspended, states, core.accounts_fault())


def method_of(name: str, params: object) -> Method | None:
    """The method that takes these parameters; None if there is none of this name."""
    is_signed = isinstance(params, dict) and "signed" in params
    return SIGNED.get(name) if is_signed and name in SIGNED else METHODS.get(name)


def _kinds(name: str) -> frozenset[PeerKind]:
    """The clients that may call a method of this name."""
    signed = SIGNED.get(name)
    return METHODS[name].kinds | (signed.kinds if signed else frozenset())


def _view(found: Session) -> SessionView:
    return SessionView(
        found.person,
        found.csrf,
        found.begun,
        found.until,
        found.address,
        found.failures,
        found.since,
        found.badge,
    )


def _listed(found: Iterable[Session]) -> tuple[OtherSession, ...]:
    return tuple(OtherSession(one.person.name, one.person.role, one.begun, one.address) for one in found)


PEOPLE: frozenset[PeerKind] = frozenset({"web", "cli"})
WEB: frozenset[PeerKind] = frozenset({"web"})
UPLINK: frozenset[PeerKind] = frozenset({"uplink"})
SATELLITES: frozenset[PeerKind] = frozenset({"web", "uplink"})
UPLINK_TOPICS: tuple[Topic, ...] = ("table_status", "progressive")
NO_PROGRESSIVE = "the table plays for no linked progressive: its configuration names no levels"
REPORTERS: Mapping[ReportSubject, PeerKind] = {"page": "web", "uplink": "uplink", "shipping": "uplink"}
"""Which satellite may report what."""

METHODS: Mapping[str, Method] = {
    "hello": Method(KINDS, given.HelloParams, hello, "who answers, and what this client may do", True),
    "sign_in": Method(
        PEOPLE, given.SignInParams, sign_in, "begins a session; a dealer deals from now on", False, True
    ),
    "session": Method(PEOPLE, given.SessionParams, session, "whose session it is; null if it is over"),
    "read_token": Method(WEB, given.ReadTokenParams, read_token, "whose token for the API this is"),
    "sign_out": Method(PEOPLE, given.SignOutParams, sign_out, "ends a session"),
    "sessions": Method(PEOPLE, given.SessionsParams, sessions, "how many people are signed in, and who"),
    "set_secret": Method(
        PEOPLE, given.SetSecretParams, set_secret, "changes one's own password or PIN, and ends the session"
    ),
    "set_language": Method(
        WEB, given.SetLanguageParams, set_language, "the language in which a person reads pages"
    ),
    "roster": Method(WEB, given.NoParams, roster, "what the sign-in page shows"),
    "forged": Method(WEB, given.ForgedParams, forged, "records that a forged request was seen"),
    "subscribe": Method(KINDS, given.SubscribeParams, subscribe, "what changes is sent from now on", True),
    "preview": Method(PEOPLE, given.PreviewParams, preview, "what an act would do, and its token"),
    "act": Method(PEOPLE, given.ActParams, act, "acts on the table; the answer comes when it is on disk"),
    "amount": Method(UPLINK, given.AmountParams, amount, "an amount that a linked progressive signed"),
    "report": Method(SATELLITES, given.ReportParams, report, "a satellite's own state"),
    "metrics": Method(WEB, given.NoParams, metrics, "metrics in the text format of Prometheus", True),
    "health": Method(PEOPLE, given.NoParams, health, "whether the table plays", True),
}

SIGNED: Mapping[str, Method] = {
    "act": Method(
        UPLINK,
        given.SignedActParams,
        take_signed,
        "a message of the floor; the answer to a command comes when it is on disk",
    ),
}
"""Methods that take `signed`, a message of the floor, in place of the parameters of a person's act."""
