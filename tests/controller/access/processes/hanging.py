"""Reads the question and never replies."""

import sys
import time

from tests.fixtures.waiting import PATIENCE

sys.stdin.buffer.read()
time.sleep(10 * PATIENCE)
