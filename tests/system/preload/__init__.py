"""Libraries that a process under test loads before libc, and their controls."""
