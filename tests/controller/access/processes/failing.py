"""Ends without a reply, before it reads the question."""

import sys

sys.exit(3)
