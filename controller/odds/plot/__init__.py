"""Charts of odds, drawn as SVG."""
