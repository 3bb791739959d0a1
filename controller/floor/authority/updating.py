"""Tells servers that run what an account is now: they end the connections of what was revoked at once."""

import asyncio
import json
from pathlib import Path
from typing import Final

import nats.errors

from controller.floor.authority.authority import UPDATE_INBOX as INBOX
from controller.floor.authority.authority import Authority
from controller.floor.connection import ConnectionEndedError, Servers, ServersError, connection

ANSWER_LIMIT: Final = 5.0
"""Seconds in which all servers answer."""
DONE: Final = 200


def update_servers(authority: Authority, addresses: tuple[str, ...], ca: Path | None, now: int) -> list[str]:
    """The names of the servers that have taken the account, each once. Raises ServersError, AuthorityError,
    CredentialsError."""
    credentials = authority.system_credentials(now)
    servers = Servers(addresses, "update", INBOX, ca, credentials)
    return sorted(asyncio.run(_update(authority, servers)))


async def _update(authority: Authority, servers: Servers) -> set[str]:
    found = set[str]()
    try:
        async with asyncio.timeout(2 * ANSWER_LIMIT), connection(servers) as client:
            answers = await client.subscribe(f"{INBOX}.answers")
            subject = f"$SYS.REQ.ACCOUNT.{authority.account}.CLAIMS.UPDATE"
            await client.publish(subject, authority.account_jwt.strip().encode(), reply=f"{INBOX}.answers")
            async with asyncio.timeout(ANSWER_LIMIT):
                while len(found) < len(servers.addresses):
                    answer = json.loads((await answers.next_msg(None)).data)
                    if answer.get("data", {}).get("code") == DONE:
                        found.add(str(answer["server"]["name"]))
    except (TimeoutError, nats.errors.Error, ConnectionEndedError) as error:
        if not found:
            why = str(error) or "no answer"
            raise ServersError(f"the servers {', '.join(servers.addresses)}: {why}") from error
    return found
