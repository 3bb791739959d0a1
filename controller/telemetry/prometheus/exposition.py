"""The text that Prometheus reads: https://prometheus.io/docs/instrumenting/exposition_formats/, version
0.0.4."""

import math
from collections.abc import Iterable, Iterator

from controller.telemetry.prometheus.family import Family, Sample

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HELP_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n"})
VALUE_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})
SPECIAL = {math.inf: "+Inf", -math.inf: "-Inf"}


def exposition(families: Iterable[Family]) -> str:
    """The families as text, the labels in alphabetical order; empty if there are no families."""
    return "".join(f"{line}\n" for family in families for line in _lines(family))


def number(value: float) -> str:
    """A number as the format writes it."""
    if math.isnan(value):
        return "NaN"
    return SPECIAL.get(value) or repr(float(value))


def _lines(family: Family) -> Iterator[str]:
    yield f"# HELP {family.name} {family.help_text.translate(HELP_ESCAPES)}"
    yield f"# TYPE {family.name} {family.kind}"
    for sample in family.samples:
        yield f"{family.name}{sample.suffix}{_labels(sample)} {number(sample.value)}"


def _labels(sample: Sample) -> str:
    if not sample.labels:
        return ""
    written = (
        f'{label}="{value.translate(VALUE_ESCAPES)}"' for label, value in sorted(sample.labels.items())
    )
    return f"{{{','.join(written)}}}"
