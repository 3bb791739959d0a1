"""Generates the message modules and their type stubs from firmware-protocol/proto into a folder, and the
table of all fields, for Python and for C, from the message list in section 14 of the specification.

`python -m drivers.protocol [FOLDER]`; the folder of the modules is this package unless another is named.
"""

import re
import sys
from pathlib import Path

from drivers.protocol.message_list import C_TABLE, PYTHON_TABLE, c_table, message_list, python_table, rows

HERE = Path(__file__).parent
PROTO = HERE.parent.parent / "firmware-protocol" / "proto"


def generate(into: Path) -> None:
    """Writes one `_pb2.py` and one `_pb2.pyi` for each .proto file. Raises RuntimeError if protoc refuses."""
    from grpc_tools import protoc  # a development tool, absent at the table

    sources = sorted(PROTO.glob("*.proto"))
    arguments = [f"-I{PROTO}", f"--python_out={into}", f"--pyi_out={into}"]
    if protoc.main(["protoc", *arguments, *(source.name for source in sources)]):
        raise RuntimeError("protoc refused the .proto files")
    for module in [*into.glob("*_pb2.py"), *into.glob("*_pb2.pyi")]:
        module.write_text(inside_package(module.read_text()))


def inside_package(source: str) -> str:
    """Makes the generated absolute imports name this package."""
    return re.sub(r"^import (\w+_pb2)( as \w+)?$", r"from drivers.protocol import \1\2", source, flags=re.M)


def write_tables() -> None:
    """Writes the table of all fields for Python and for C."""
    found = rows(message_list())
    PYTHON_TABLE.write_text(python_table(found), "utf-8")
    C_TABLE.write_text(c_table(found), "utf-8")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    write_tables()
