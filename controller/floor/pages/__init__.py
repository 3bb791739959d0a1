"""The floor's pages: all tables at a glance, and one table in detail, as they change."""
