"""A progressive that several tables play for: what decides, what is announced, and a table's end of it.

All of it is pure. docs/linked-progressive.md has the messages and the states.
"""
