"""The dealer's console as a page: what is due, the legal keys and no others, and what to take and pay."""
