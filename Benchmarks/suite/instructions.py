"""Counts the instructions of fixed jobs with callgrind, and compares them with those on file: see Scripts/instructions."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from measure import Failed, output, run
from tools import ROOT, Tools

FILE = ROOT / 'Benchmarks/instructions.json'
JOBS = ['urls', 'decode', 'parse', 'serialize', 'select', 'report', 'cache', 'rules']

# More than this is too much.
GROWTH = 1.10

# So many functions of each job are on file, those that take most by themselves.
FUNCTIONS = 40


def environment():
    """What the counts depend on besides our own code."""
    versions = {'machine': output(['uname', '-m']), 'swift': output(['swift', '--version']).split('\n')[0],
                'valgrind': output(['valgrind', '--version'])}
    for package in ('libxml2-dev', 'libc6'):
        versions[package] = output(['dpkg-query', '-W', '-f', '${Version}', package])
    return versions


def count(program, job, folder):
    """How many instructions a job takes, and each function by itself."""
    file = folder / job
    run(['env', 'SWIFT_DETERMINISTIC_HASHING=1', 'valgrind', '--tool=callgrind', f'--callgrind-out-file={file}',
         '--zero-before=counting_begins', '--dump-before=counting_ends', program, 'job', job])
    functions, names = {}, {}
    current, skips = None, False
    # The first dump is what was counted between the marks; the costs of calls stand in a line after `calls=`.
    for line in pathlib.Path(f'{file}.1').read_text(errors='replace').splitlines():
        named = re.match(r'fn=\((\d+)\)(?: (.*))?', line)
        called = re.match(r'cfn=\((\d+)\)(?: (.*))?', line)
        if named or called:
            identifier, name = (named or called).groups()
            if name:
                names[identifier] = re.sub(r"'\d+$", '', name)
            if named:
                current = identifier
        elif line.startswith('calls='):
            skips = True
        elif re.match(r'[+\-*\d]', line) and current:
            if not skips:
                functions[current] = functions.get(current, 0) + int(line.split()[1])
            skips = False
    counts = {}
    for identifier, instructions in functions.items():
        name = names.get(identifier, identifier)
        counts[name] = counts.get(name, 0) + instructions
    return sum(counts.values()), counts


def readable(names):
    """Names as they stand in the source."""
    answer = subprocess.run(['swift', 'demangle', '--simplified'], input='\n'.join(names), capture_output=True, text=True)
    return dict(zip(names, answer.stdout.split('\n')))


def grown(before, after):
    """The functions that took most of a growth, with their counts before and after."""
    least = min(before.values(), default=0)
    changes = [(count - before.get(name, min(least, count)), name, before.get(name), count) for name, count in after.items()]
    return sorted(changes, key=lambda change: -change[0])[:5]


def main():
    parser = argparse.ArgumentParser(prog='Scripts/instructions')
    parser.add_argument('--update', action='store_true', help=f'write what was counted to {FILE.name}')
    update = parser.parse_args().update
    jobs, failed = {}, False
    with tempfile.TemporaryDirectory() as folder:
        # Without the lines of the source, whose form valgrind 3.19 cannot read.
        program = pathlib.Path(folder) / 'bench'
        run(['strip', '--strip-debug', '-o', program, Tools(folder).bench])
        # Counts do not depend on what else runs.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            counts = pool.map(lambda job: count(program, job, pathlib.Path(folder)), JOBS)
        for job, (total, functions) in zip(JOBS, counts):
            if not total:
                raise Failed(f'{job}: nothing was counted')
            jobs[job] = total, functions
    names = readable(sorted({name for _, functions in jobs.values() for name in functions}))
    found = {}
    for job, (total, functions) in jobs.items():
        merged = {}
        for name, count_ in functions.items():
            merged[names[name]] = merged.get(names[name], 0) + count_
        largest = sorted(merged.items(), key=lambda item: -item[1])
        found[job] = {'instructions': total, 'functions': dict(largest)}
    kept = json.loads(FILE.read_text()) if FILE.exists() else {'environment': {}, 'jobs': {}}
    comparable = kept['environment'] == environment()
    for job in JOBS:
        before, after = kept['jobs'].get(job), found[job]
        ratio = after['instructions'] / before['instructions'] if before else 1
        print(f"{job:10} {after['instructions']:>14,} instructions" + (f', {ratio:.3f} of those on file' if before else ''))
        if before and ratio > GROWTH:
            failed = True
            for _, name, old, new in grown(before['functions'], after['functions']):
                print(f"           {new:>14,} in {name}; " + (f'{old:,} on file' if old else 'not among the largest on file'))
    if update:
        for job in found.values():
            job['functions'] = dict(list(job['functions'].items())[:FUNCTIONS])
        FILE.write_text(json.dumps({'environment': environment(), 'jobs': found}, indent=1) + '\n')
        return
    if not comparable:
        print('The counts on file are of other versions of the compiler or the libraries, so growth is not held against the '
              f'change: {kept["environment"]} there, {environment()} here.')
    elif failed:
        sys.exit(f'instructions: a job takes more than {GROWTH - 1:.0%} more than on file; mend it, or take it over with '
                 'Scripts/instructions --update and say why')


try:
    main()
except (Failed, OSError) as error:
    sys.exit(f'instructions: {error}')
