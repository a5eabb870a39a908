"""Verdicts as JUnit XML, which test reports of CI servers show: a suite a rule, a case a subject.

A finding that counts for the exit status is a failure; a waived one, and what was not judged, is
skipped; a lesser one passes and is told in the case's output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from reports.checking.findings import Finding, Found
from reports.checking.outputs.table import against
from reports.checking.selection import Subjects
from reports.loading import place

# what XML 1.0 cannot hold, in whatever form
FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
VERDICTS = """
select rule, subject, bool_and(verdict = 'not judged') as is_open,
    any_value(reason order by reason) filter (verdict = 'not judged') as reason,
    any_value(path order by path) as path
from verdict
group by rule, subject
order by rule, subject
"""


@dataclass(slots=True)
class _Case:
    """What is known of one rule and one subject."""

    open_reason: str | None = None
    findings: list[Finding] = field(default_factory=list)


def written(found: Found) -> str:
    """The document, with a declaration; the same for the same findings."""
    suites: dict[str, dict[str, _Case]] = {}
    for rule, subject, reason in _judged(found):
        suites.setdefault(rule, {})[subject] = _Case(reason)
    for finding in found.findings:
        if finding.get("change") != "gone":
            cases = suites.setdefault(finding["rule"], {})
            cases.setdefault(finding["subject"], _Case()).findings.append(finding)
    root = Xml.Element("testsuites", name="levelbook check")
    for rule, cases in sorted(suites.items()):
        _add_suite(root, rule, cases, found)
    _count(root)
    Xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _judged(found: Found) -> Iterator[tuple[str, str, str | None]]:
    """Rule, subject, and why it was not judged, of every verdict that is asked for."""
    subjects = Subjects(found.connection, found.selection)
    for rule, subject, is_open, reason, path in found.connection.execute(VERDICTS).fetchall():
        if found.selection.takes_rule(rule) and subjects.takes(subject, path):
            yield rule, subject, (reason or "not judged") if is_open else None


def _add_suite(root: Xml.Element, rule: str, cases: dict[str, _Case], found: Found) -> None:
    suite = Xml.SubElement(root, "testsuite", name=text(rule))
    for subject, case in sorted(cases.items()):
        element = Xml.SubElement(suite, "testcase", classname=text(rule), name=text(subject))
        _fill(element, case, found)
    _count(suite)


def _fill(element: Xml.Element, case: _Case, found: Found) -> None:
    """Failed, skipped or passed, and the evidence."""
    grave = [finding for finding in case.findings if found.counts(finding)]
    waived = [finding for finding in case.findings if finding["is_waived"]]
    first = next(iter(grave or waived or case.findings), None)
    if first and first["path"]:
        element.set("file", text(first["path"]))
        if first["line"] is not None:
            element.set("line", str(first["line"]))
    if grave:
        failure = Xml.SubElement(
            element, "failure", type=grave[0]["severity"], message=text(grave[0]["message"])
        )
        failure.text = "\n".join(map(_told, grave))
    elif waived and len(waived) == len(case.findings):
        Xml.SubElement(element, "skipped", message=text(f"waived: {waived[0]['waiver_reason']}"))
    elif case.open_reason and not case.findings:
        Xml.SubElement(element, "skipped", message=text(f"not judged: {case.open_reason}"))
    others = [finding for finding in case.findings if finding not in grave]
    if others:
        Xml.SubElement(element, "system-out").text = "\n".join(map(_told, others))


def _told(finding: Finding) -> str:
    where = place(finding["path"] or "no file", finding["line"])
    said = f"{finding['severity']}: {finding['message']}\nat {where}{against(finding)}"
    return text(f"{said}\nremedy: {finding['remedy']}")


def _count(element: Xml.Element) -> None:
    for name, path in (("tests", ""), ("failures", "/failure"), ("skipped", "/skipped")):
        element.set(name, str(len(element.findall(f".//testcase{path}"))))
    element.set("errors", "0")


def text(value: str) -> str:
    """A text without the characters that no XML may have."""
    return FORBIDDEN.sub("\ufffd", value)
