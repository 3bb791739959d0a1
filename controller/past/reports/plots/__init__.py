"""Charts of a report, drawn as SVG."""
