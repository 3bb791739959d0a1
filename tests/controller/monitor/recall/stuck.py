"""A process that never answers; it ends when nobody asks it any more."""

import sys

if __name__ == "__main__":
    sys.stdin.buffer.read()
