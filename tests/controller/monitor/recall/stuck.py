"""A process that never answers; it ends when nobody reads its output any more."""

import sys

if __name__ == "__main__":
    sys.stdin.buffer.read()
    sys.stdin.close()
    while True:
        sys.stdout.buffer.write(b" " * 65536)
