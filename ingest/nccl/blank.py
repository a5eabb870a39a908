"""An output and a row of which nothing is known but where they stand.

JSON and CSV say less than the text table: with `dataclasses.replace` each form adds what it says.
"""

from __future__ import annotations

from ingest.nccl.records import Form, NcclOutput, NcclRow, Placement


def blank_output(line: int, last_line: int, attempt: int, form: Form) -> NcclOutput:
    """A run of one copy with nothing around its rows."""
    return NcclOutput(
        line=line,
        attempt=attempt,
        last_line=last_line,
        form=form,
        collective=None,
        is_rccl=False,
        era=None,
        tests_version=None,
        nccl_version=None,
        driver_version=None,
        ranks_listed=None,
        nodes_listed=None,
        copies=1,
        settings=None,
        environment=None,
        network=None,
        is_nvls=None,
        is_sharp=None,
        is_cpu_time=False,
        out_of_bounds=None,
        average_busbw_gbps=None,
        average_said=None,
        has_footer=False,
        rows_lost=0,
    )


def blank_row(line: int, attempt: int, placement: Placement, size_bytes: int) -> NcclRow:
    """The first row of the first cycle, not measured and not checked."""
    return NcclRow(
        line=line,
        attempt=attempt,
        ordinal=1,
        cycle=1,
        placement=placement,
        size_bytes=size_bytes,
        count=None,
        type=None,
        redop=None,
        root=None,
        time_us=None,
        algbw_gbps=None,
        busbw_gbps=None,
        wrong=None,
        delta=None,
        is_unchecked=True,
        iter_min_us=None,
        iter_max_us=None,
        iter_p99_us=None,
        iter_cv_pct=None,
        time_digits=None,
        algbw_digits=None,
        busbw_digits=None,
    )
