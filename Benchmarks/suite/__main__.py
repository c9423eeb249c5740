"""Measures everything beside its floors and peers: see Scripts/bench."""
import argparse
import dataclasses
import os
import pathlib
import sys
import tempfile

import archives
import commands
import copies
import difference
import document
import growth
import inside
import parsing
import rendering
import server
import sessions
import sites
from measure import Cases, Failed
from tools import Tools

BENCHMARKS = {
    'parsing': parsing.parsing, 'memory': parsing.memory, 'hostile': parsing.hostile, 'urls': inside.urls,
    'selectors': inside.selectors, 'parts': inside.parts, 'text': inside.text, 'rules': inside.rules, 'cache': inside.cache,
    'fetch': inside.fetch, 'commands': commands.commands, 'startup': commands.startup, 'growth': growth.growth,
    'archives': archives.archives, 'sites': sites.sites, 'copies': copies.copies,
    'diff': difference.difference, 'session': sessions.session, 'server': server.server,
    'render': rendering.render,
}


@dataclasses.dataclass
class Settings:
    """How much is measured."""
    turns: int = 5
    rounds: int = 20
    processes: int = 100
    entries: int = 100_000
    loads: int = 10_000
    hostile_size: int = 2_000_000
    archive_megabytes: int = 60
    archive_rounds: int = 3
    site_pages: int = 1_000
    site_rounds: int = 5
    frontier_urls: int = 1_000_000
    kept_pages: int = 100_000
    copy_rounds: int = 20
    copy_size: int = 1_000_000
    difference_size: int = 10_000_000
    largest: dict = dataclasses.field(default_factory=dict)

    @staticmethod
    def quick():
        """To see that everything runs; its figures are not worth much."""
        return Settings(turns=1, rounds=3, processes=5, entries=2_000, loads=500, hostile_size=200_000,
                        archive_megabytes=5, archive_rounds=1, site_pages=100, site_rounds=1, frontier_urls=20_000, kept_pages=2_000, copy_rounds=3, copy_size=200_000, difference_size=1_000_000,
                        largest={'pages': 1_000_000, 'links': 10_000, 'entries': 1_000, 'loads': 64})


def main():
    parser = argparse.ArgumentParser(prog='Scripts/bench', description='Measures the library and the command.')
    parser.add_argument('names', nargs='*', metavar='NAME', help=f'of {", ".join(BENCHMARKS)}; all of them without one')
    parser.add_argument('--quick', action='store_true', help='little of everything, to see that it runs')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='every sample, as JSON')
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f'{", ".join(unknown)}: no benchmark; there are {", ".join(BENCHMARKS)}')
    settings, cases = Settings.quick() if arguments.quick else Settings(), Cases()
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(folder)
        for name in arguments.names or BENCHMARKS:
            print(f'== {name}', file=sys.stderr, flush=True)
            before = len(cases.all)
            BENCHMARKS[name](tools, cases, settings)
            print(document.tables(cases.all[before:]), flush=True)
        if arguments.json:
            document.write_json(arguments.json, cases)
        if not arguments.names and not arguments.quick:
            document.write(tools, cases)


try:
    main()
except (Failed, OSError) as error:
    sys.exit(f'bench: {error}')
except BrokenPipeError:
    os._exit(1)
