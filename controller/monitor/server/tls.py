"""The pages' side of TLS."""

import ssl
from pathlib import Path

MINIMUM = ssl.TLSVersion.TLSv1_2


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Raises OSError, which names both files, where they cannot be used together."""
    tls_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls_context.minimum_version = MINIMUM
    try:
        tls_context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or error
        raise OSError(f"certificate {certificate} with key {key} cannot be used: {why}") from error
    return tls_context
