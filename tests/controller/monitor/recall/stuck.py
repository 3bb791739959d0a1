"""A process that never answers; it ends when its questions end."""

import sys

if __name__ == "__main__":
    sys.stdin.buffer.read()
