"""Who may do what at a table: people, their roles, and how they prove who they are."""
