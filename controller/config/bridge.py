"""The section about the bridge: which other systems get events of the table, and how it reaches them."""

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from controller.config.section import FILE, Section, conflict
from controller.property.subjects import ALLOWED, checked_name

EventName = Literal["state", "round", "alert", "jackpot"]
EVENT_NAMES: Final[tuple[EventName, ...]] = get_args(EventName)
EVENTS: Final = f"one or more of {', '.join(EVENT_NAMES)}, as {list(EVENT_NAMES)}".replace("'", '"')
SERVER: Final = 'an address, as "mqtts://broker.house.example:8883"'
URL: Final = 'an address, as "https://rating.house.example/tableside"'
PREFIX: Final = "1 to 64 letters, digits, and _ . / -, not with / at its beginning or end"
WEBHOOKS: Final = f"a section for each receiver, as [bridge.webhooks.rating]; a name: {ALLOWED}"
PLAIN: Final = frozenset({"mqtt", "http"})
"""Schemes without encryption."""


def _name(text: str) -> str:
    return checked_name("table", text)


def _server(text: str) -> str:
    found = urlsplit(text)
    if found.path or found.query or found.fragment:
        raise ValueError("more than an address")
    return _address(text, frozenset({"mqtt", "mqtts"}))


def _url(text: str) -> str:
    return _address(text, frozenset({"http", "https"}))


def _address(text: str, schemes: frozenset[str]) -> str:
    """Raises ValueError, also for a port that is not a number."""
    found = urlsplit(text)
    if found.scheme not in schemes or not found.hostname or found.username or found.port == 0:
        raise ValueError("not an address")
    return text


class ReceiverSection(Section):
    """What all receivers have. `ca`: the certificates that must have signed the receiver's own; empty for
    those of this machine."""

    ca: Annotated[str, Field(description=FILE)] = ""
    events: Annotated[tuple[EventName, ...], Field(strict=False, description=EVENTS)] = EVENT_NAMES

    @field_validator("events")
    @classmethod
    def _are_some(cls, events: tuple[EventName, ...]) -> tuple[EventName, ...]:
        if not events or len(set(events)) < len(events):
            raise ValueError("none, or one twice")
        return events


class MqttSection(ReceiverSection):
    """A broker of MQTT 5. `prefix`: the first levels of each topic; `password`: the file with the password or
    the token of `user`."""

    server: Annotated[str, AfterValidator(_server), Field(description=SERVER)]
    prefix: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$", max_length=64, description=PREFIX)
    ] = "tableside"
    user: Annotated[str, Field(max_length=128, description="at most 128 characters")] = ""
    password: Annotated[str, Field(description=FILE, validate_default=True)] = ""

    @field_validator("server")
    @classmethod
    def _is_encrypted(cls, server: str) -> str:
        return _encrypted("server", server, "mqtts")

    @field_validator("password")
    @classmethod
    def _is_there_for_a_user(cls, password: str, info: ValidationInfo) -> str:
        user = info.data.get("user", "")
        if bool(user) != bool(password):
            fault = f'not allowed with user = "{user}"; allowed: both, or neither'
            raise conflict("password", password, fault)
        return password

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "ca", "password")


class WebhookSection(ReceiverSection):
    """A receiver of HTTP requests. `secret`: the file with the key that signs them."""

    url: Annotated[str, AfterValidator(_url), Field(description=URL)]
    secret: Annotated[str, Field(min_length=1, description=FILE)]

    @field_validator("url")
    @classmethod
    def _is_encrypted(cls, url: str) -> str:
        return _encrypted("url", url, "https")

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "ca", "secret")


class BridgeSection(Section):
    """What `tableside table bridge` sends to other systems. `table`: what they call this table; `folder`:
    where the bridge keeps how far each receiver has got, and its metrics."""

    table: Annotated[str, AfterValidator(_name), Field(description=ALLOWED)]
    folder: Annotated[
        str, Field(min_length=1, description="the path of a folder, beside the configuration if relative")
    ] = "bridge"
    mqtt: Annotated[MqttSection | None, Field(description="a section with server")] = None
    webhooks: Annotated[
        dict[str, WebhookSection],
        Field(description=WEBHOOKS, default_factory=dict, validate_default=True),
    ]

    @field_validator("webhooks")
    @classmethod
    def _are_named_and_not_all_is_missing(
        cls, webhooks: dict[str, WebhookSection], info: ValidationInfo
    ) -> dict[str, WebhookSection]:
        for name in webhooks:
            try:
                checked_name("webhook", name)
            except ValueError as error:
                raise conflict("webhooks", [name], str(error)) from None
        if not webhooks and "mqtt" in info.data and info.data["mqtt"] is None:
            fault = "not allowed without bridge.mqtt; allowed: a section for mqtt, for a webhook, or for both"
            raise conflict("webhooks", {}, fault)
        return webhooks

    def resolved(self, folder: Path) -> Self:
        receivers = {
            "mqtt": self.mqtt and self.mqtt.resolved(folder),
            "webhooks": {name: webhook.resolved(folder) for name, webhook in self.webhooks.items()},
        }
        return self._with_paths(folder, "folder").model_copy(update=receivers)


def _encrypted(key: str, address: str, scheme: str) -> str:
    """The address, if nobody on the network can read along."""
    found = urlsplit(address)
    if found.scheme in PLAIN and not _is_loopback(found.hostname or ""):
        fault = f"not allowed, because others on the network could read it; allowed: {scheme}://"
        raise conflict(key, address, fault)
    return address


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
