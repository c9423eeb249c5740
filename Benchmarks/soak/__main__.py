"""A day's jobs in an hour, on one cache, from a site that fails, killed at random: see Scripts/soak."""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from failing import Site

# Seconds that a command may take that is not killed, many times what it needs.
PATIENCE = 120
# Seconds for which a job may have an answer in hand before it has written it down.
IN_HAND = 4
# What each command is told, so that its rounds are many: short times, few retries, no waiting for a host.
QUICK = ['--timeout', '2', '--max-filesize', '1M', '--retry', '1', '--rate', '1000/s']
KNOWN = {'crawl': {0, 1, 3, 6}, 'check': {0, 1, 3, 6}, 'batch': {0, 1}, 'watch': {0, 1, 3, 4, 6, 7}, 'session': {0, 1, 3, 4, 6, 7}}


class Soak:
    def __init__(self, program, folder, site, seed, end):
        self.program, self.folder, self.site, self.end = program, folder, site, end
        self.chance = random.Random(seed)
        self.cache = folder / 'cache'
        self.wrong, self.lock = [], threading.Lock()
        self.rounds, self.kills = collections.Counter(), collections.Counter()
        # How the site has answered crawls, and what came of the answers that were whole.
        self.answers, self.sums = collections.Counter(), collections.Counter()
        self.peaks, self.served = collections.defaultdict(lambda: [0, 0]), []
        # Whatever is started has it, whoever starts it: that tells ours from others.
        self.mark = f'WEBINSPECT_SOAK={os.getpid()}'
        self.environment = {**os.environ, 'WEBINSPECT_SOAK': str(os.getpid()), 'HOME': str(folder), 'TMPDIR': str(folder / 'tmp')}
        for name in ('tmp', 'cache'):
            (folder / name).mkdir()

    def fail(self, text):
        with self.lock:
            self.wrong.append(text)
            print(f'soak: {text}', file=sys.stderr, flush=True)

    # Running

    def start(self, arguments, output, stdin=subprocess.DEVNULL):
        return subprocess.Popen([self.program, *map(str, arguments), '--cache-dir', self.cache], stdin=stdin, stdout=output,
                                stderr=subprocess.STDOUT, env=self.environment, start_new_session=True)

    def run(self, name, arguments, log, script=None, may_kill=True):
        """Runs a command until it ends by itself, killed now and then before; when it was killed."""
        kills = []
        while True:
            with open(log, 'ab') as output:
                process = self.start(arguments, output, subprocess.PIPE if script else subprocess.DEVNULL)
                if script:
                    process.stdin.write(script.encode())
                    process.stdin.close()
                doomed = may_kill and len(kills) < 3 and self.chance.random() < 0.6
                try:
                    process.wait(self.chance.uniform(0.02, 2) if doomed else PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills.append(time.monotonic())
                    self.kills[name] += 1
                    if doomed:
                        continue
                    self.fail(f'{name} has not ended in {PATIENCE} s: {log}')
                    return kills
            if process.returncode not in KNOWN[name]:
                self.fail(f'{name} ended with {process.returncode}: {log.read_bytes()[-300:]!r}')
            return kills

    def loop(self, body):
        number = 0
        while time.monotonic() < self.end:
            number += 1
            folder = self.folder / f'{body.__name__}-{number}'
            folder.mkdir()
            try:
                body(folder, f'soak-{body.__name__}-{number}')
            except Exception as error:
                self.fail(f'{body.__name__}: {error!r}')
            self.rounds[body.__name__] += 1
            if not any(str(folder) in text for text in self.wrong):
                shutil.rmtree(folder)

    def lines(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, env=self.environment, timeout=PATIENCE)
        if done.returncode != 0:
            self.fail(f'{" ".join(map(str, arguments))} ended with {done.returncode}: {done.stdout[-200:]!r} {done.stderr[-200:]!r}')
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b'{')]

    def intact(self, folder):
        for path in folder.rglob('*'):
            if path.is_file() and path.read_bytes()[:16] == b'SQLite format 3\0':
                with sqlite3.connect(f'file:{path}?mode=ro', uri=True) as database:
                    if database.execute('pragma integrity_check').fetchone() != ('ok',):
                        self.fail(f'{path}: the database is damaged')
            if path.name.startswith('.webloader-'):
                self.fail(f'{path}: an unfinished file has stayed')

    # The jobs

    def crawl(self, folder, who):
        archive = folder / 'x.warc.gz'
        kills = self.run('crawl', ['crawl', f'{self.site.url}/p/{self.chance.randrange(300)}', '-o', archive, '--max-pages', 40, '-A', who,
                                   *QUICK], folder / 'log')
        self.intact(folder)
        records = []
        # It is empty where not even the first page was answered.
        if archive.stat().st_size > 0:
            self.lines('archive', 'verify', archive, '--jsonl')
            listed = self.lines('archive', 'ls', archive, '--jsonl')
            records = [record for record in listed if record.get('type') in ('response', 'revisit')]
        kept = collections.Counter(record['url'] for record in records)
        for url, count in kept.items():
            if count > 1:
                self.fail(f'{archive}: {url} is there {count} times')
        # Each answer that a server has given whole is in the archive, or is one of several, or was in hand when the job was killed.
        whole = collections.defaultdict(list)
        for path, how, began, over in self.site.of(who):
            self.answers[how] += 1
            if how == 'whole' and path != '/robots.txt':
                whole[self.site.url + path].append((began, over))
        for url, times in whole.items():
            if kept[url]:
                self.sums['recorded'] += 1
                self.sums['asked for again'] += len(times) - 1
            elif all(any(began - 0.1 <= kill <= over + IN_HAND for kill in kills) for began, over in times):
                self.sums['in hand when killed'] += len(times)
            else:
                # It may have been answered as an error before, or been cut by the limit of pages.
                self.sums['lost'] += len(times)
                self.fail(f'{archive}: {url} was answered and is not there')

    def check(self, folder, who):
        output = folder / 'out'
        arguments = ['check', f'{self.site.url}/p/1', '--recursive', '--max-pages', 30, '--format', 'jsonl', '--state', folder / 'state', '-A',
                     who, *QUICK]
        self.run('check', arguments, output)
        # The last run has written all of it.
        whole = subprocess.run([self.program, *map(str, arguments), '--cache-dir', self.cache], capture_output=True, env=self.environment)
        rows = [json.loads(line) for line in whole.stdout.splitlines() if line.startswith(b'{')]
        if not rows:
            self.fail(f'{output}: nothing was checked: {whole.stderr[-200:]!r}')
        self.intact(folder)

    def batch(self, folder, who):
        (folder / 'list').write_text(''.join(f'{self.site.url}/p/{number}\n' for number in range(60)))
        out = folder / 'out.jsonl'
        self.run('batch', ['batch', folder / 'list', '--run', 'select title', '--run', "extract -e title=h1", '-o', out, '-A', who, *QUICK],
                 folder / 'log')
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        counts = collections.Counter(row['id'] for row in rows)
        if set(counts) != set(range(1, 61)) or max(counts.values()) > 1:
            self.fail(f'{out}: {len(counts)} of 60 lines, some {max(counts.values(), default=0)} times')
        self.intact(folder)

    def watch(self, folder, who):
        (folder / 'list.yaml').write_text(''.join(f'- {self.site.url}/p/{number}\n' for number in range(10)))
        for _ in range(3):
            self.run('watch', ['watch', folder / 'list.yaml', '--jsonl', '--keep-history', '-A', who, '--timeout', 2, '--rate', '1000/s'],
                     folder / 'log')
        self.intact(folder)

    def session(self, folder, who):
        script = f'open {self.site.url}/login\nfill user ada\nsubmit\nopen {self.site.url}/p/3\nfollow 6\nback\ntitle\n'
        self.run('session', ['session', '--state', folder / 'state', '-A', who, '--timeout', 2], folder / 'log', script)

    # The server

    def serve(self):
        while time.monotonic() < self.end:
            log = self.folder / 'serve.log'
            with open(log, 'wb') as output:
                process = self.start(['serve'], output)
            stop = min(self.end, time.monotonic() + self.chance.uniform(60, 300))
            address = None
            while time.monotonic() < stop:
                text = log.read_text()
                if address is None and text.startswith('http'):
                    address = text.split('#')[0]
                elif address:
                    try:
                        with urllib.request.urlopen(address, timeout=5) as answer:
                            answer.read()
                    except OSError as error:
                        if process.poll() is None:
                            self.fail(f'serve does not answer: {error}')
                if process.poll() is not None:
                    self.fail(f'serve ended with {process.returncode}: {text[-300:]}')
                    break
                time.sleep(0.5)
            if not address:
                self.fail(f'serve has no address: {log.read_text()[-300:]}')
            self.served.append(None)
            process.kill()
            process.wait()
            self.kills['serve'] += 1

    # What processes use

    def ours(self):
        for path in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                if self.mark.encode() in path.joinpath('environ').read_bytes().split(b'\0'):
                    words = path.joinpath('cmdline').read_bytes().decode(errors='replace').split('\0')
                    # One that has ended has no line any more.
                    if words[0]:
                        yield path, pathlib.Path(words[0]).name + (f' {words[1]}' if words[0].endswith('/webinspect') and len(words) > 1 else '')
            except OSError:
                continue

    def sample(self, stop):
        while not stop.wait(0.5):
            for path, name in self.ours():
                try:
                    status = path.joinpath('status').read_text()
                    memory = int(status.partition('VmRSS:')[2].split()[0]) << 10 if 'VmRSS:' in status else 0
                    files = len(os.listdir(path / 'fd'))
                except (OSError, IndexError):
                    continue
                peak = self.peaks[name]
                peak[0], peak[1] = max(peak[0], memory), max(peak[1], files)
                if name == 'webinspect-server':
                    self.served.append((memory, files))

    def growth(self):
        """The server's memory and descriptors in the last quarter of its longest run, beside the second quarter."""
        runs, run = [], []
        for sample in [*self.served, None]:
            if sample is None:
                runs, run = runs + [run], []
            else:
                run.append(sample)
        run = max(runs, key=len)
        if len(run) < 40:
            return None
        quarter = len(run) // 4

        def median(part, index):
            return sorted(sample[index] for sample in part)[len(part) // 2]
        before, after = run[quarter:2 * quarter], run[3 * quarter:]
        result = [median(before, 0), median(after, 0), median(before, 1), median(after, 1)]
        if result[1] > 1.2 * result[0] + (8 << 20) or result[3] > result[2] + 8:
            self.fail(f'serve has grown: {result}')
        return result


def main():
    parser = argparse.ArgumentParser(prog='Scripts/soak', description="A day's jobs in an hour, killed at random.")
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('minutes', nargs='?', type=float, default=60)
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument('--keep', type=pathlib.Path, metavar='FOLDER', help='keep the files')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='the figures, as JSON')
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    folder = pathlib.Path(tempfile.mkdtemp(prefix='webinspect-soak-')) if not arguments.keep else arguments.keep
    folder.mkdir(exist_ok=True)
    print(f'seed {arguments.seed}, {arguments.minutes:g} minutes', flush=True)
    with Site(arguments.seed) as site:
        soak = Soak(arguments.program.resolve(), folder, site, arguments.seed, time.monotonic() + 60 * arguments.minutes)
        stop = threading.Event()
        sampler = threading.Thread(target=soak.sample, args=(stop,), daemon=True)
        jobs = [threading.Thread(target=soak.loop, args=(job,), daemon=True)
                for job in (soak.crawl, soak.check, soak.batch, soak.watch, soak.session)]
        jobs.append(threading.Thread(target=soak.serve, daemon=True))
        try:
            for thread in [sampler, *jobs]:
                thread.start()
            for thread in jobs:
                thread.join()
            # What was started by what was killed ends by itself.
            until = time.monotonic() + 10
            while any(True for _ in soak.ours()) and time.monotonic() < until:
                time.sleep(0.2)
            for path, name in soak.ours():
                soak.fail(f'{name} is still there: {path}')
            growth = soak.growth()
            soak.lines('cache', 'verify', '--cache-dir', soak.cache)
            soak.intact(folder)
            for path in (folder / 'tmp').iterdir():
                soak.fail(f'{path}: a temporary file has stayed')
        finally:
            stop.set()
            for path, _ in list(soak.ours()):
                os.kill(int(path.name), signal.SIGKILL)
            if not arguments.keep:
                shutil.rmtree(folder, ignore_errors=True)
    figures = {'seed': arguments.seed, 'rounds': soak.rounds, 'kills': soak.kills, 'answers': soak.answers, 'whole': soak.sums, 'growth': growth,
               'peaks': {name: {'bytes': peak[0], 'descriptors': peak[1]} for name, peak in soak.peaks.items()}, 'wrong': soak.wrong}
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1, sort_keys=True) + '\n')
    def told(counts):
        return ', '.join(f'{name} {count}' for name, count in sorted(counts.items()))
    print(f'\nrounds: {told(soak.rounds)}\nkilled: {told(soak.kills)}\nanswers to crawl: {told(soak.answers)}\nof the whole ones: {told(soak.sums)}')
    for name, (memory, files) in sorted(soak.peaks.items()):
        print(f'{name}: {memory / 1e6:.0f} MB, {files} descriptors at most')
    if growth:
        print(f'serve: {growth[0] / 1e6:.0f} MB then {growth[1] / 1e6:.0f}, {growth[2]} descriptors then {growth[3]}')
    print(f'{len(soak.wrong)} things are wrong')
    return 1 if soak.wrong else 0


sys.exit(main())
