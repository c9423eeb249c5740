"""Runs the package on a cluster of Spark's, kills what it is made of, and compares: see Scripts/scale."""
import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

import pyarrow.parquet

import pages
from cluster import Application, Cluster, Failed, Peaks, processes, processor_time, send

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARDS = 20
# How often all is measured; the least counts, since others may use the machine.
ROUNDS = 3
RECIPE = ROOT / 'docs/recipes/article.yaml'
FOUR = {'title': 'select title --first', 'links': 'links', 'text': 'text', 'recipe': f'extract -r {RECIPE.name}'}
TWO = {'both': "extract -e title=title -e 'links[]=a@href' --no-worker"}

# What is killed, once so many of the partitions are committed; and how it is told from the rest.
KILLS = [
    ('webinspect', 1, lambda process: process.program == 'webinspect' and 'pipe' in process.words),
    ('webinspect-worker', 3, lambda process: process.program == 'webinspect-worker'),
    ('a worker in Python', 5, lambda process: process.kind == 'Python' and 'pyspark.daemon' in process.words
        and process.parent in {other.number for other in processes() if other.kind == 'Python'}),
    ('an executor', 7, lambda process: any(word.endswith('CoarseGrainedExecutorBackend') for word in process.words)),
    ("a worker of Spark's", 10, lambda process: any(word.endswith('worker.Worker') for word in process.words)),
]


def plain(arguments, out):
    """Runs a program; the seconds of processor that it took, with its children's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(out, 'wb') as file:
        subprocess.run([str(argument) for argument in arguments], stdout=file, check=True, cwd=RECIPE.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def batch(program, shards, jobs, out):
    """One process on one machine, no Spark."""
    words = [word for name, job in jobs.items() for word in ('--run', f'{name}={job}')]
    archives = [word for shard in shards for word in ('--from', shard)]
    taken = []
    for _ in range(ROUNDS):
        for path in out.parent.glob(out.name + '*'):
            path.unlink()
        taken.append(plain([program, 'batch', *archives, '--all', *words, '--jobs', 2, '--silent', '-o', out], os.devnull))
    return min(taken)


def lines(path):
    """What `batch` wrote, by URL: the bytes behind the ID."""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            found[json.loads(line)['url']] = line[line.index(',"url":'):].rstrip('\n')
    return found


def rows(path):
    """What Spark wrote, in the order of its files."""
    return [row for part in sorted(path.glob('part-*')) for row in pyarrow.parquet.read_table(part).to_pylist()]


def as_line(row, jobs):
    """The bytes that `batch` writes for a row, behind the ID."""
    results = ','.join(f'{json.dumps(name)}:{row[name]}' for name in jobs)
    error = {'code': row['error_code'], 'message': row['error_message'], 'job': row['error_job']}
    tail = ',"error":' + json.dumps({key: value for key, value in error.items() if value is not None}, ensure_ascii=False,
                                    separators=(',', ':')) if row['error_code'] else ''
    return (f',"url":{json.dumps(row["url"])},"status":{row["status"]},'
            f'"results":{{{results}}}{tail}}}')


def compare(path, expected, jobs):
    """Every record once, none lost, each with the bytes of one machine; the rows."""
    found = rows(path)
    places = {(row['warc'], row['offset']) for row in found}
    if len(places) != len(found):
        raise Failed(f'{path.name}: {len(found) - len(places)} records are there twice')
    missing = expected.keys() - {row['url'] for row in found}
    if missing or len(found) != len(expected):
        raise Failed(f'{path.name}: {len(found)} rows, not {len(expected)}; {len(missing)} are lost')
    different = [row['url'] for row in found if as_line(row, jobs) != expected[row['url']]]
    if different:
        raise Failed(f'{path.name}: {len(different)} rows have other bytes, the first {different[0]}')
    return found


def committed(out):
    """How many partitions Spark has committed of a job that runs."""
    return sum(1 for _ in out.glob('_temporary/0/task_*'))


def kill_in_the_middle(out):
    """Kills one of everything, each after more of the job was committed."""
    for name, after, is_meant in KILLS:
        end = time.monotonic() + 300
        victims = []
        while not victims:
            if (out / '_SUCCESS').exists() or time.monotonic() > end:
                raise Failed(f'the job ended before {name} could be killed: give it more pages')
            if committed(out) >= after:
                victims = [process for process in processes() if is_meant(process)]
            time.sleep(0.02)
        print(f'{committed(out):2} of {SHARDS} committed: kill -9 {victims[0].number}, {name}', flush=True)
        send(victims[0], signal.SIGKILL)


@dataclasses.dataclass
class Measured:
    """What a job took on the cluster: seconds, seconds of processor and the most memory of a process, by kind."""
    seconds: float
    cpu: dict
    peaks: dict


def measured(application, *job, rounds=ROUNDS):
    """Runs a job; of several rounds the one that took least of the processor."""
    found = []
    for _ in range(rounds):
        before = processor_time()
        with Peaks() as peaks:
            seconds = application.run(*job)
        after = processor_time()
        found.append(Measured(seconds, {kind: after[kind] - before[kind] for kind in after}, peaks.bytes))
    return min(found, key=lambda one: sum(one.cpu.values()))


def table(title, count, alone, spark):
    """Processor time of ways to do the same: without Spark, and on it by kind of process."""
    whole = sum(spark.cpu.values())
    own = 100 * (spark.cpu['Python'] + spark.cpu['JVM']) / whole
    rows = {**alone, 'on Spark': whole, **{f'  {kind}': seconds for kind, seconds in spark.cpu.items()}}
    width, ours = max(map(len, rows)), alone['webinspect batch']
    print(f'\n{title}\n')
    for name, seconds in rows.items():
        print(f'  {name:{width}} {seconds:8.2f} s {count / seconds:7,.0f} pages/s a core {seconds / ours:6.2f} x batch')
    print(f"  Spark's own, with Python: {own:.1f} % of it; {spark.seconds:.1f} s by the clock on two cores", flush=True)


def megabytes(peaks):
    return ', '.join(f'{kind} {peaks[kind] / 1e6:.0f} MB' for kind in sorted(peaks))


def join(files, path):
    """Files one behind the other, which is a WARC file as well."""
    with open(path, 'wb') as joined:
        for file in files:
            joined.write(file.read_bytes())
    return path


def scale(arguments, folder):
    wheel, count = arguments.wheel.resolve(), arguments.pages
    package = folder / 'package'
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            os.chmod(archive.extract(entry, package), entry.external_attr >> 16 & 0o777)
    program = package / 'webinspect/bin/webinspect'
    shards, mean = pages.make(folder, count, SHARDS)
    size = sum(shard.stat().st_size for shard in shards)
    print(f'{count:,} pages of {mean / 1000:.0f} KB in {SHARDS} files, {size / 1e6:.0f} MB of gzip; '
          f'{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}', flush=True)
    # What partitions cost is told apart from what pages do by the same pages in two files.
    halves = [join(shards[:SHARDS // 2], folder / 'half-1.warc.gz'), join(shards[SHARDS // 2:], folder / 'half-2.warc.gz')]
    peer = [sys.executable, ROOT / 'Benchmarks/suite/peers/archive.py', 'pages', 'fastwarc', join(halves, folder / 'all.warc.gz')]
    peer = min(plain(peer, folder / 'peer') for _ in range(ROUNDS))
    one_two = batch(program, halves, TWO, folder / 'two.jsonl')
    one_four = batch(program, halves, FOUR, folder / 'four.jsonl')
    two, four = lines(folder / 'two.jsonl'), lines(folder / 'four.jsonl')
    if not len(two) == len(four) == count:
        raise Failed(f'batch has {len(two)} and {len(four)} lines, not {count}')

    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(Cluster(folder, package))
        application = stack.enter_context(Application(cluster, wheel, RECIPE))
        if not application.hello['program'].startswith(str(folder / 'work-')):
            raise Failed(f'the executors use {application.hello["program"]}')
        # What the virtual machines need to begin, and to compile what they do often, is not of the pages.
        for jobs in (TWO, TWO, TWO, FOUR, FOUR):
            application.run(halves, jobs, folder / 'warm')
        began = processor_time()['JVM']

        both = measured(application, halves, TWO, folder / 'two')
        compare(folder / 'two', two, TWO)
        taken = measured(application, halves, FOUR, folder / 'four')
        compare(folder / 'four', four, FOUR)
        small = measured(application, shards, FOUR, folder / 'four')
        calm = compare(folder / 'four', four, FOUR)
        table('Title and links:', count, {'FastWARC and lexbor': peer, 'webinspect batch': one_two}, both)
        table('Title, links, main text and a recipe:', count, {'webinspect batch': one_four}, taken)
        more = {kind: 1000 * (small.cpu[kind] - taken.cpu[kind]) / (SHARDS - len(halves)) for kind in taken.cpu}
        print(f'\n  in {SHARDS} partitions in place of {len(halves)}, for each more: '
              + ', '.join(f'{kind} {more[kind]:.0f} ms' for kind in more)
              + f'\n  for the virtual machines to begin and to compile, once: {began:.0f} s'
              + f'\n  most memory of a process: {megabytes(taken.peaks)}', flush=True)

        print('\nkills:\n', flush=True)
        application.begin(shards, FOUR, folder / 'killed')
        kill_in_the_middle(folder / 'killed')
        seconds = application.end()
        if compare(folder / 'killed', four, FOUR) != calm:
            raise Failed('the rows are in another order than without kills')
        print(f'{count:,} of {count:,} records, each once, with the bytes of one machine; {seconds:.1f} s')

        bad = pages.make_bad(folder, shards[0])
        hard = measured(application, list(bad), FOUR, folder / 'bad', rounds=1)
        found = rows(folder / 'bad')
        print('\nbad files:\n')
        for path, code in bad.items():
            mine = [row for row in found if row['warc'] == path]
            good = sum(1 for row in mine if row['error_code'] is None)
            codes = [row['error_code'] for row in mine if row['error_code'] and not row['error_job']]
            print(f'  {pathlib.Path(path).name:16} {good:4} pages, errors: {", ".join(codes)}')
            if code not in codes:
                raise Failed(f'{path} has no row with {code}')
        print(f'  most memory of a process: {megabytes(hard.peaks)}')


def main():
    parser = argparse.ArgumentParser(prog='Scripts/scale', description='Runs webinspect.spark on a cluster on this machine.')
    parser.add_argument('wheel', type=pathlib.Path)
    parser.add_argument('pages', type=int, nargs='?', default=2000)
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for the files, which stay')
    arguments = parser.parse_args()
    if arguments.pages < SHARDS:
        parser.error(f'PAGES is a number from {SHARDS}')
    with contextlib.ExitStack() as stack:
        folder = arguments.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix='webinspect-scale-')))
        folder.mkdir(parents=True, exist_ok=True)
        scale(arguments, folder.resolve())


try:
    main()
except (Failed, OSError, subprocess.CalledProcessError) as error:
    sys.exit(f'scale: {error}')
