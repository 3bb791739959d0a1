"""The headings of pages that say why a question about the past has no answer."""

TITLES = {404: "Not found", 422: "Not allowed", 503: "The journal cannot be read"}
"""By HTTP status."""
