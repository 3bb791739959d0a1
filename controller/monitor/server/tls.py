"""The TLS settings of the server."""

import ssl
from pathlib import Path

MINIMUM = ssl.TLSVersion.TLSv1_2


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """A TLS context for a server. Raises OSError with both file names if the files cannot be used
    together."""
    tls_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls_context.minimum_version = MINIMUM
    try:
        tls_context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or error
        raise OSError(f"certificate {certificate} with key {key} cannot be used: {why}") from error
    return tls_context
