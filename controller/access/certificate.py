"""Makes self-signed certificates, and reads the parts of a certificate that people compare."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


@dataclass(frozen=True, slots=True)
class NewCertificate:
    """A certificate and its private key as PEM text."""

    certificate: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class CertificateInfo:
    """The parts of a certificate that people and browsers compare. `expires`: Unix time."""

    names: tuple[str, ...]
    expires: float
    fingerprint: str
    """SHA-256 of the certificate in the format of browsers: hex in capitals with colons."""
    spki: str
    """SHA-256 of the public key (SubjectPublicKeyInfo) in base64, for the trust setting of a kiosk's
    browser."""


def make(table: str, names: Sequence[str], begins: datetime, days: int) -> NewCertificate:
    """A new P-256 key, and a server certificate for these host names and IP addresses."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Tableside {table}"[:64])])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins - timedelta(days=1))  # the browser's clock may be a little behind
        .not_valid_after(begins + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([*map(_name, names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return NewCertificate(certificate.public_bytes(Encoding.PEM), secret)


def read_certificate(path: Path) -> CertificateInfo:
    """The parts of the certificate in a PEM file. Raises OSError or ValueError if the file has none."""
    return certificate_info(x509.load_pem_x509_certificate(path.read_bytes()))


def certificate_info(found: x509.Certificate) -> CertificateInfo:
    """The parts of this certificate that people and browsers compare."""
    public = found.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    fingerprint = found.fingerprint(hashes.SHA256()).hex(":").upper()
    expires = found.not_valid_after_utc.astimezone(UTC).timestamp()
    return CertificateInfo(
        _names(found), expires, fingerprint, b64encode(hashlib.sha256(public).digest()).decode()
    )


def _names(found: x509.Certificate) -> tuple[str, ...]:
    """The host names and addresses of a certificate. Empty if it has only a subject, which browsers
    ignore."""
    try:
        named = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return (*named.get_values_for_type(x509.DNSName), *map(str, named.get_values_for_type(x509.IPAddress)))


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
