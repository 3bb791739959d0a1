"""Passwords and PINs are hashed and compared by a process of their own, one at a time.

argon2id is slow and takes 9 MiB by design. In the table's own process it would hold up cards and add to the
memory for ever. So each question starts one process, `python -m controller.access.hashing`, at the lowest
priority. It reads the question from standard input, writes the reply to standard output, and ends. The secret
goes through this pipe only: arguments and environment of a process can be read by others.
"""
