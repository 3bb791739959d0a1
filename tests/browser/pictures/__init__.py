"""The pictures of all pages and what is measured on them: `make pictures`."""
