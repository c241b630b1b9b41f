"""Rows of results: a list of dicts, which pandas takes and a terminal shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List

if TYPE_CHECKING:
    import pandas

Row = Dict[str, Any]


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


class Table(List[Row]):
    """Rows with the same keys.  It is a list of dicts; to_pandas() makes a DataFrame of it, and str() an aligned table."""

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a DataFrame.  ImportError: pandas is not installed."""
        import pandas

        return pandas.DataFrame(list(self), columns=list(self[0]) if self else None)

    def column(self, name: str) -> "list[Any]":
        """One value of each row."""
        return [row[name] for row in self]

    def where(self, **values: Any) -> "Table":
        """The rows that have all these values: table.where(policy="drift", cost=0.1)."""
        return Table(row for row in self if all(row[name] == value for name, value in values.items()))

    def __str__(self) -> str:
        if not self:
            return "no rows"
        columns = list(self[0])
        cells = [columns, *([_cell(row[name]) for name in columns] for row in self)]
        widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
        numeric = [not any(isinstance(row[name], str) for row in self) for name in columns]
        return "\n".join(
            "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(line, widths, numeric)).rstrip()
            for line in cells
        )
