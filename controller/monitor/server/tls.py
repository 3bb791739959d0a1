"""The pages' side of TLS."""

import ssl
from pathlib import Path

MINIMUM = ssl.TLSVersion.TLSv1_2


def context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Raises OSError, which names both files, where they cannot be used together."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = MINIMUM
    try:
        made.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or error
        raise OSError(f"certificate {certificate} with key {key} cannot be used: {why}") from error
    return made
