"""The floor's pages as a part of its service."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from ssl import SSLContext
from typing import Final

import structlog

from controller.access.errors import AccountsUnusable
from controller.config.web import WebSection
from controller.floor.pages.server import Acts, FloorServer
from controller.floor.past.settings import PastSettings
from controller.floor.settings import FloorConfig
from controller.floor.store_file import StoreError
from controller.floor.tables.picture import FloorPicture
from controller.monitor.house import House, house_of
from controller.monitor.server.tls import KEY_CREDENTIAL, server_context
from drivers.key_files import credential

PAUSE: Final = 5.0
"""Seconds after an error of the files of the pages."""


async def serve_pages(config: FloorConfig, web: WebSection, picture: FloorPicture, acts: Acts) -> None:
    """Until cancelled. A fault of the files is logged, and they are tried again."""
    log = structlog.get_logger("tableside.floor")
    house = house_of(web)
    if house.fault:
        log.warning("no logo", why=house.fault)
    while True:
        try:
            await _server(config, web, house, picture, acts, lambda url: log.info("page", address=url)).run()
        except (AccountsUnusable, StoreError, OSError) as error:
            log.error("no page", why=str(error))
        await asyncio.sleep(PAUSE)


def _server(
    config: FloorConfig,
    web: WebSection,
    house: House,
    picture: FloorPicture,
    acts: Acts,
    on_address: Callable[[str], None],
) -> FloorServer:
    """Raises OSError if the certificate cannot be used."""
    return FloorServer(
        config.property,
        Path(config.access.path),
        Path(config.stores),
        picture,
        acts,
        host=web.host,
        port=web.port,
        tls=_tls(web),
        names=web.names,
        public=web.watching,
        limits=config.access.limits(),
        past=PastSettings.of(config),
        notice=config.notice,
        house=house,
        on_address=on_address,
    )


def _tls(web: WebSection) -> SSLContext | None:
    """Raises OSError."""
    if not web.tls:
        return None
    return server_context(Path(web.certificate), credential(KEY_CREDENTIAL) or Path(web.key))
