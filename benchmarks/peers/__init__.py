"""The speed of other projects beside ours, in one run.

`play` and `pinball` run in the virtual environment of requirements-peers.lock, which has nothing of ours;
everything else runs in ours.
"""
