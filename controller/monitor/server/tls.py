"""The TLS settings of the server."""

import ssl
from pathlib import Path

from controller.config import Config, ConfigError
from drivers.key_files import credential

MINIMUM = ssl.TLSVersion.TLSv1_2
KEY_CREDENTIAL = "web.key"
"""The name of the pages' key among the service's systemd credentials, which take precedence over the
configuration."""


def tls_context(config: Config) -> ssl.SSLContext | None:
    """The TLS context of the pages; None if they are served without TLS. Raises ConfigError if the
    certificate or its key cannot be used."""
    if not config.web.tls:
        return None
    key = credential(KEY_CREDENTIAL) or Path(config.web.key)
    try:
        return server_context(Path(config.web.certificate), key)
    except OSError as error:
        raise ConfigError((f"{error}; tableside table certificate --make makes both",)) from None


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """A TLS context for a server. Raises OSError with both file names if the files cannot be used
    together."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = MINIMUM
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or error
        raise OSError(f"certificate {certificate} with key {key} cannot be used: {why}") from error
    return context
