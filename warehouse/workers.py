"""Parsing, in this process while there is little to do, else in one a processor."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor

from ingest.units import MIB
from warehouse.parsing import Parsed, parse_file

POOL_FROM_BYTES = 24 * MIB
WAITING_PER_PROCESSOR = 4


class Workers:
    """Calls back with what each file said, in the order in which the files were given."""

    def __init__(self) -> None:
        self.processors = os.cpu_count() or 1
        self.bytes_seen = 0
        self.pool: ProcessPoolExecutor | None = None
        self.waiting: deque[tuple[Callable[[Parsed], None], Future[Parsed]]] = deque()

    def parse(
        self, format_name: str, data: bytes, name: str, then: Callable[[Parsed], None]
    ) -> None:
        """Parses a file now or soon; never holds more than a few files at a time."""
        self.bytes_seen += len(data)
        if self.pool is None and self.bytes_seen < POOL_FROM_BYTES:
            then(parse_file(format_name, data, name))
            return
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.processors, mp_context=context)
        self.waiting.append((then, self.pool.submit(parse_file, format_name, data, name)))
        while len(self.waiting) > WAITING_PER_PROCESSOR * self.processors:
            self._await_one()

    def drain(self) -> None:
        """Waits until every file is parsed."""
        while self.waiting:
            self._await_one()

    def _await_one(self) -> None:
        then, future = self.waiting.popleft()
        then(future.result())

    def close(self) -> None:
        """Ends the worker processes."""
        if self.pool:
            self.pool.shutdown(cancel_futures=True)
