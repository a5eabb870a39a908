"""Parsing, in this process while there is little to do, else in one a processor."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor

from ingest.units import MIB
from warehouse.parsing import Parsed, parse_file, parse_files

POOL_FROM_BYTES = 24 * MIB
BATCH_BYTES = 4 * MIB  # small files travel together: each journey has its price
WAITING_PER_PROCESSOR = 4

Then = Callable[[Parsed], None]


class Workers:
    """Calls back with what each file said, in the order in which the files were given."""

    def __init__(self) -> None:
        self.processors = os.cpu_count() or 1
        self.bytes_seen = 0
        self.pool: ProcessPoolExecutor | None = None
        self.batch: list[tuple[str, bytes, str]] = []
        self.batch_bytes = 0
        self.thens: list[Then] = []
        self.waiting: deque[tuple[list[Then], Future[list[Parsed]]]] = deque()

    def parse(self, format_name: str, data: bytes, name: str, then: Then) -> None:
        """Parses a file now or soon; never holds more than a few batches at a time."""
        self.bytes_seen += len(data)
        if self.pool is None and self.bytes_seen < POOL_FROM_BYTES:
            then(parse_file(format_name, data, name))
            return
        self.batch.append((format_name, data, name))
        self.batch_bytes += len(data)
        self.thens.append(then)
        if self.batch_bytes >= BATCH_BYTES:
            self._submit()
        while len(self.waiting) > WAITING_PER_PROCESSOR * self.processors:
            self._await_one()

    def _submit(self) -> None:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.processors, mp_context=context)
        self.waiting.append((self.thens, self.pool.submit(parse_files, self.batch)))
        self.batch, self.thens, self.batch_bytes = [], [], 0

    def drain(self) -> None:
        """Waits until every file is parsed."""
        if self.batch:
            self._submit()
        while self.waiting:
            self._await_one()

    def _await_one(self) -> None:
        thens, future = self.waiting.popleft()
        for then, parsed in zip(thens, future.result(), strict=True):
            then(parsed)

    def close(self) -> None:
        """Ends the worker processes."""
        if self.pool:
            self.pool.shutdown(cancel_futures=True)
