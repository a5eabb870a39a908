"""Hyperparameters of one system at several node counts: a row per key, differences marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from reports.charts import node_label
from reports.links import Links
from reports.numbers import UNKNOWN
from reports.text import escaped

# grade -> (class, sign, what it means)
GRADES: Mapping[str, tuple[str, str, str]] = {
    "error": ("e", "✕", "must be the same and is not"),
    "warning": ("w", "▲", "differs, and the batch size does not explain it"),
    "explained": ("i", "i", "differs, explained by scale or batch size"),
    "not compared": ("n", "–", "differs, a value of no account for scaling"),
}
_LONGEST = 80

Row = Mapping[str, Any]
Cells = Mapping[tuple[str, str], Row]
Graded = Mapping[tuple[str, str], tuple[str, str]]


def grades(members: Sequence[Row], values: Cells, differences: Iterable[Row]) -> Graded:
    """(grade, against what) by (result set, key) of the values that are not the same.

    `members` have result_set and base_set; `differences` result_set, key, severity, scope,
    is_base and other_system. The worst counts; '' stands for the base.
    """
    found = _unlike_base(members, values)
    order = list(GRADES)
    for row in differences:
        grade = "explained" if row["severity"] == "info" else str(row["severity"])
        place = row["result_set"], row["key"]
        before, _ = found.get(place, (order[-1], ""))
        if grade in order and order.index(grade) < order.index(before):
            found[place] = grade, _against(row)
    return found


def _unlike_base(members: Sequence[Row], values: Cells) -> dict[tuple[str, str], tuple[str, str]]:
    """Every value that is not that of its base, before any rule says what to think of it."""
    bases = {member["result_set"]: member["base_set"] for member in members}
    return {
        (result_set, key): ("not compared", "")
        for (result_set, key), cell in values.items()
        if (base := values.get((bases[result_set], key))) and base["value"] != cell["value"]
    }


def _against(row: Row) -> str:
    if row["scope"] == "within set":
        return "other runs of the set"
    return "" if row["is_base"] else str(row["other_system"] or "")


def comparison_html(
    members: Sequence[Row], values: Cells, graded: Graded, links: Links, title: str
) -> str:
    """The table: a column per result set, the smallest scale first; keys that differ on top."""
    keys = sorted({key for _, key in values}, key=lambda key: (_worst(key, graded), key))
    body = "".join(_row(key, members, values, graded) for key in keys)
    said = escaped(title)
    return (
        f'<div class="lb-table lb-compared" role="region" tabindex="0" aria-label="{said}"'
        f' data-filter><table class="lb-data"><caption>{said}</caption>'
        f"{_head(members, values, links)}<tbody>{body}</tbody></table></div>"
    )


def legend_html() -> str:
    """What the signs mean."""
    items = "".join(
        f'<li><span class="lb-sign lb-{kind}" aria-hidden="true">{sign}</span> '
        f"<strong>{grade}</strong>: {words}</li>"
        for grade, (kind, sign, words) in GRADES.items()
    )
    return f'<ul class="lb-legend">{items}<li>no sign: the same as at the base</li></ul>'


def _worst(key: str, graded: Graded) -> int:
    order = list(GRADES)
    return min(
        (order.index(grade) for (_, of), (grade, _) in graded.items() if of == key),
        default=len(order),
    )


def _head(members: Sequence[Row], values: Cells, links: Links) -> str:
    cells = "".join(_member_head(member, values, links) for member in members)
    return f'<thead><tr><th scope="col">Hyperparameter</th>{cells}</tr></thead>'


def _member_head(member: Row, values: Cells, links: Links) -> str:
    """Node count, system, batch size, and the file that most of its values are of."""
    address = links.section(member)
    name = escaped(member["system"] or UNKNOWN)
    named = f'<a href="{escaped(address)}">{name}</a>' if address else name
    batch = member["global_batch_size"]
    said = f"{node_label(member['nodes'])}, {member['accelerators'] or UNKNOWN} accelerators"
    base = " (base)" if member["base_set"] == member["result_set"] else ""
    files = sorted(
        {cell["path"] or "" for (of, _), cell in values.items() if of == member["result_set"]}
    )
    files_said = f"<br><code>{escaped(files[0])}</code>" if files and files[0] else ""
    return (
        f'<th scope="col">{escaped(said + base)}<br>{named}<br>'
        f"batch {UNKNOWN if batch is None else f'{batch:,.0f}'}{files_said}</th>"
    )


def _row(key: str, members: Sequence[Row], values: Cells, graded: Graded) -> str:
    cells = "".join(
        _cell(values.get((member["result_set"], key)), graded.get((member["result_set"], key)))
        for member in members
    )
    return f'<tr><th scope="row"><code>{escaped(key)}</code></th>{cells}</tr>'


def _cell(cell: Row | None, graded: tuple[str, str] | None) -> str:
    """A value with its line, and its sign and word where it differs."""
    if cell is None:
        return '<td class="lb-none">not logged</td>'
    value = str(cell["value"]) if cell["value"] is not None else UNKNOWN
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    file = PurePosixPath(cell["path"] or "").name
    place = f' <small title="{escaped(cell["path"] or "")}">{escaped(file)}:{cell["line"]}</small>'
    if graded is None:
        return f"<td>{escaped(shown)}{place}</td>"
    grade, other = graded
    kind, sign, _ = GRADES[grade]
    against = f" against {escaped(other)}" if other else ""
    return (
        f'<td class="{kind}"><span class="lb-sign lb-{kind}" aria-hidden="true">{sign}</span> '
        f"<b>{escaped(shown)}</b> <em>{grade}{against}</em>{place}</td>"
    )
