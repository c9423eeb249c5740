"""Programs run in turn, and what they took."""
import dataclasses
import json
import os
import statistics
import subprocess
import tempfile
import time

ENVIRONMENT = {**os.environ, 'SWIFT_BACKTRACE': 'enable=no', 'LC_ALL': 'C.UTF-8'}


class Failed(Exception):
    """A program did not do what it should."""


@dataclasses.dataclass
class Subject:
    """What was measured of one way to do a thing: seconds an item, one number a round."""
    name: str
    cpu: list = dataclasses.field(default_factory=list)
    wall: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Case:
    """Several ways to do the same thing; ours is the first."""
    benchmark: str
    name: str
    unit: str
    subjects: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)
    # What is no comparison: the names of columns, and rows.
    table: tuple = None

    def subject(self, name):
        for subject in self.subjects:
            if subject.name == name:
                return subject
        self.subjects.append(Subject(name))
        return self.subjects[-1]

    def ratio(self, peer, clock='cpu', ours=None):
        """How many times as long as we a peer takes; None where that was not measured."""
        ours = self.subject(ours) if ours else self.subjects[0]
        a, b = getattr(ours, clock), getattr(self.subject(peer), clock)
        return statistics.median(b) / statistics.median(a) if a and b else None


class Cases:
    """Cases by benchmark and name, in the order in which they came."""

    def __init__(self):
        self.all = []
        self.pictures = []

    def case(self, benchmark, name, unit):
        for case in self.all:
            if (case.benchmark, case.name) == (benchmark, name):
                return case
        self.all.append(Case(benchmark, name, unit))
        return self.all[-1]

    def add(self, line):
        """Takes a line of JSON as `bench` and the peers print it."""
        case = self.case(line['benchmark'], line['case'], line.get('unit', ''))
        if 'text' in line:
            case.notes.append(line['text'])
        for given in line.get('subjects', []):
            subject = case.subject(given['name'])
            subject.cpu += given['cpu']
            subject.wall += given['wall']


@dataclasses.dataclass
class Run:
    """A program that has ended."""
    output: str
    cpu: float
    wall: float

    @property
    def lines(self):
        return [json.loads(line) for line in self.output.splitlines() if line.startswith('{')]


def run(arguments, wants_output=True):
    """Runs a program; seconds with its children's. What it says on standard error is shown if it fails."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
                   (os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0)]
        start = time.monotonic()
        child = os.posix_spawnp(str(arguments[0]), [str(argument) for argument in arguments], ENVIRONMENT,
                                file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - start
        if os.waitstatus_to_exitcode(status):
            errors.seek(0)
            raise Failed(f'{arguments[0]} ended with {os.waitstatus_to_exitcode(status)}: '
                         f'{errors.read()[-500:].decode(errors="replace")}')
        output.seek(0)
        text = output.read().decode(errors='replace') if wants_output else ''
        return Run(text, usage.ru_utime + usage.ru_stime, wall)


def peak(arguments):
    """Bytes of memory that a program takes at most."""
    # Of a child of this process the system would count what this one takes, too.
    with tempfile.NamedTemporaryFile('r') as file:
        run(['time', '-f', '%M', '-o', file.name, *arguments])
        return int(file.read()) * 1024


def processes_in_turn(case, programs, rounds):
    """Whole processes, in turn: `programs` has each one's name and arguments, ours first."""
    for index in range(-1, rounds):
        for name, arguments in programs:
            ended = run(arguments, wants_output=False)
            if index >= 0:
                case.subject(name).cpu.append(ended.cpu)
                case.subject(name).wall.append(ended.wall)


def programs_in_turn(cases, programs, turns):
    """Programs that measure by themselves and print lines of JSON, in turn."""
    for _ in range(turns):
        for arguments in programs:
            for line in run(arguments).lines:
                cases.add(line)


def output(arguments):
    """What a program says, '' if it is not there."""
    try:
        return subprocess.run(arguments, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ''
