"""The floor: the journals of many tables in one place, and what is known of the tables from them."""
