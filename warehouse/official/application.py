"""One rule file applied to all records of a log, in the official order.

Source: mlcommons/logging `mlp_compliance.py`, `configured_checks`.
"""

from __future__ import annotations

from warehouse.official import reasons
from warehouse.official.expressions import Context, Expression
from warehouse.official.messages import ERROR, Message, Messages
from warehouse.official.plans import Plan, RuleBook, asked
from warehouse.official.reasons import Reason
from warehouse.official.records import Log, aggregated
from warehouse.official.requirements import requirements
from warehouse.official.rule_file import AGGREGATED, Refusal, RuleFile
from warehouse.official.statements import Statement


class Application:
    """A rule file at work on a log; `queue` takes the further rule files that it names."""

    def __init__(
        self, book: RuleBook, file: RuleFile, log: Log, messages: Messages, queue: list[str]
    ) -> None:
        self.book, self.file, self.log, self.messages = book, file, log, messages
        self.context = Context({}, queue=queue)
        self.reached: dict[str, bool] = {}
        self.told: dict[tuple[str, str], Message] = {}
        self.done: set[str] = set()
        self.begun: set[str] = set()

    def run(self) -> Log:
        """Puts what the log does not meet into the messages; gives the log for the next file."""
        self._begin()
        for key in self.file.keys:
            self.messages.keyed.pop(key, None)
        self._records()
        for key, is_reached in self.reached.items():
            if not is_reached:
                self._not_reached(key)
        for message in requirements(self.file, self.log, self.book.records):
            self.messages.put(message)
        self.context.record = None
        self._end()
        return self.log

    def _begin(self) -> None:
        if self.file.aggregates_by is not None:
            try:
                by = self.file.aggregates_by
                self.log = aggregated(self.log, self.book.records, by, AGGREGATED)
            except (KeyError, TypeError) as error:
                self._break_down(f"evaluations cannot be joined: {reasons.error_text(error)}")
        self._execute_apart(self.file.begin, "BEGIN")

    def _end(self) -> None:
        self._execute_apart(self.file.end_before, "END")
        for check in self.file.end_checks:
            if isinstance(check, Refusal):
                self._put("code", None, None, self._refused(check, "the END"))
            elif not asked(check, self.context)[0]:
                reason = reasons.of_end(check, self.context, self.file.name)
                self._put("end", None, None, reason)

    def _execute_apart(self, code: Statement | Refusal | None, what: str) -> None:
        """Code that belongs to no record: the official checker breaks down on an error in it."""
        if isinstance(code, Refusal):
            self._put("code", None, None, self._refused(code, f"the {what}"))
        elif code is not None:
            try:
                code(self.context)
            except Exception as error:  # any: the state may hold whatever a log holds
                said = reasons.error_text(error)
                self._break_down(f"the {what} of {self.file.name} cannot be carried out: {said}")

    def _records(self) -> None:
        """Every record of a key that the file names, in the order of the log."""
        plans, context, log = self.book.plans(self.file), self.context, self.log
        for number, time, line in zip(log.numbers, log.times, log.lines, strict=True):
            plan = plans[number]
            if plan is None:
                continue
            context.record, context.key, context.time = plan.record, plan.key, time
            if not plan.is_once or plan.key not in self.done:
                self._record(plan, line)
            if plan.rule.first_checks and plan.key not in self.begun:
                self._first(plan, line)
            if plan.rule.at_least_one is not None:
                self._at_least_one(plan, line)

    def _record(self, plan: Plan, line: int) -> None:
        """PRE, CHECK and POST: the POST also where a check has failed."""
        rule, context = plan.rule, self.context
        if rule.before is not None:
            self._execute(rule.before, "PRE", line)
        for check, error in plan.failed:
            self._fail(check, line, error)
        for stateful in rule.stateful:
            try:
                if not stateful.run(context):
                    self._fail(stateful, line, None)
            except Exception as error:  # any, as in the official checker
                self._fail(stateful, line, error)
        if rule.after is not None:
            self._execute(rule.after, "POST", line)
        if plan.is_once:
            self.done.add(plan.key)

    def _first(self, plan: Plan, line: int) -> None:
        self.begun.add(plan.key)
        for check in plan.rule.first_checks:
            if isinstance(check, Refusal):
                self._fail(check, line, None)
            else:
                is_met, error = asked(check, self.context)
                if not is_met:
                    self._fail(check, line, error)

    def _at_least_one(self, plan: Plan, line: int) -> None:
        """Notes whether a record reaches what one of them has to."""
        check = plan.rule.at_least_one
        if not isinstance(check, Expression):
            if check is not None:
                self._fail(check, line, None)
            return
        reaches, error = plan.reaches, plan.error
        if reaches is None:
            reaches, error = asked(check, self.context)
        if error is not None:
            reason = reasons.of_error(check, self.context, error)
            self.messages.break_down("input", plan.key, reason.sentence, self.file.name, line)
        self.reached[plan.key] = self.reached.get(plan.key, False) or reaches

    def _not_reached(self, key: str) -> None:
        check = self.file.keys[key].at_least_one
        if isinstance(check, Expression):
            found = list(self.log.of_key(self.book.records, key))
            line, last = found[-1]
            message = self._put("at_least_one", None, line, reasons.of_target(check, key, last))
            message.occurrences = len(found)

    def _execute(self, code: Statement | Refusal, what: str, line: int) -> None:
        if isinstance(code, Refusal):
            self._fail(code, line, None)
            return
        try:
            code(self.context)
        except Exception as error:  # any, as in the official checker
            key, said = self.context.key, reasons.error_text(error)
            reason = f"the {what} of {key} cannot be carried out: {said}"
            found = Reason(reason, reasons.seen(self.context), f"{what} of {key}")
            self._tell("code", (key, what), line, found)

    def _fail(self, check: Expression | Refusal, line: int, error: Exception | None) -> None:
        """A check on the record that is not met; its first line makes the message."""
        key = self.context.key
        identity = (key, check.text)
        if identity in self.told:
            self.told[identity].occurrences += 1
        elif isinstance(check, Refusal):
            self._tell("code", identity, line, self._refused(check, key))
        elif error is not None:
            self._tell("check", identity, line, reasons.of_error(check, self.context, error))
        else:
            self._tell("check", identity, line, reasons.of_check(check, self.context))

    def _tell(self, kind: str, identity: tuple[str, str], line: int, reason: Reason) -> None:
        if identity in self.told:
            self.told[identity].occurrences += 1
        else:
            self.told[identity] = self._put(kind, identity[0], line, reason)

    def _refused(self, code: Refusal, where: str) -> Reason:
        sentence = f"the rule for {where} in {self.file.name} uses {code.reason}: not allowed"
        return Reason(sentence, None, reasons.shortened(code.text))

    def _put(self, kind: str, key: str | None, line: int | None, reason: Reason) -> Message:
        said = (kind, key, line, 1, reason.sentence, reason.value, reason.limit)
        message = Message(ERROR, *said, self.file.name)
        self.messages.put(message)
        return message

    def _break_down(self, reason: str) -> None:
        self.messages.break_down("input", None, reason, self.file.name)
