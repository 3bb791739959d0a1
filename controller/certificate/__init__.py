"""The certificate of a table's pages: its own, since no authority of the internet reaches a table."""
