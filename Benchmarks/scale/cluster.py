"""A cluster of Spark's on loopback, the application on it, and what all its processes take."""
import ctypes
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import threading
import time

TICKS = os.sysconf('SC_CLK_TCK')
PR_SET_CHILD_SUBREAPER = 36


class Failed(Exception):
    """Something is not as it should be."""


class Process:
    """A process of ours, as /proc shows it."""

    def __init__(self, number):
        self.number = number
        with open(f'/proc/{number}/stat', encoding='utf-8', errors='replace') as file:
            fields = file.read().rpartition(')')[2].split()
        self.state, self.parent = fields[0], int(fields[1])
        self.own = (int(fields[11]) + int(fields[12])) / TICKS
        self.reaped = (int(fields[13]) + int(fields[14])) / TICKS
        with open(f'/proc/{number}/cmdline', 'rb') as file:
            self.words = file.read().decode(errors='replace').split('\0')
        try:
            self.program = os.path.basename(os.readlink(f'/proc/{number}/exe'))
        except OSError:
            self.program = ''

    @property
    def kind(self):
        """Whose processor time it takes."""
        if self.program.startswith('webinspect'):
            return 'webinspect'
        return 'Python' if self.program.startswith('python') else 'JVM'

    @property
    def peak(self):
        """Bytes of memory that it has had at most."""
        try:
            lines = pathlib.Path(f'/proc/{self.number}/status').read_text().splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith('VmHWM')), 0)


def processes():
    """All processes that descend from this one."""
    found = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                found[int(name)] = Process(int(name))
            except (OSError, ValueError, IndexError):
                continue
    ours, changed = {os.getpid()}, True
    while changed:
        more = {number for number, process in found.items() if process.parent in ours} - ours
        ours, changed = ours | more, bool(more)
    return [found[number] for number in sorted(ours - {os.getpid()}) if number in found and found[number].state != 'Z']


def processor_time():
    """Seconds by kind of process. What a worker in Python has waited for was webinspect."""
    taken = {'webinspect': 0.0, 'Python': 0.0, 'JVM': 0.0}
    for process in processes():
        taken[process.kind] += process.own
        if process.kind != 'JVM':
            taken['webinspect'] += process.reaped
    return taken


class Peaks(threading.Thread):
    """The most memory that a process of each kind has had."""

    def __init__(self):
        super().__init__(daemon=True)
        self.bytes, self._ended = {}, threading.Event()

    def run(self):
        while not self._ended.wait(0.2):
            for process in processes():
                self.bytes[process.kind] = max(self.bytes.get(process.kind, 0), process.peak)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self.join()


class Cluster:
    """A master and two workers of a core each. All that descends from here ends with it, however it was left."""

    def __init__(self, folder, package):
        import pyspark
        self.folder = folder
        self._home = pathlib.Path(pyspark.__file__).parent
        (folder / 'conf').mkdir()
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        settings = folder / 'conf/spark-defaults.conf'
        settings.touch(0o600)
        # Nobody else on this machine can join, or have work done here.
        settings.write_text(
            f'spark.master spark://127.0.0.1:{self.port}\nspark.authenticate true\nspark.authenticate.secret {secrets.token_hex(16)}\n'
            'spark.ui.enabled false\nspark.driver.host 127.0.0.1\nspark.driver.bindAddress 127.0.0.1\n'
            'spark.executor.memory 512m\nspark.driver.memory 512m\nspark.cores.max 2\nspark.executor.cores 1\n'
            'spark.ui.showConsoleProgress false\n')
        self.environment = {**os.environ, 'SPARK_HOME': str(self._home), 'SPARK_CONF_DIR': str(folder / 'conf'),
                            'SPARK_LOCAL_IP': '127.0.0.1', 'SPARK_LOCAL_DIRS': str(folder / 'local')}
        # The executors have no package but what is sent to them.
        self.environment.pop('PYTHONPATH', None)
        self.environment.pop('WEBINSPECT', None)
        self.package = package

    def __enter__(self):
        # What loses its parent becomes a child of this process, and not of the system's first.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._spawn('master', 'org.apache.spark.deploy.master.Master', '--host', '127.0.0.1', '--port', self.port, '--webui-port', 0)
        for number in (1, 2):
            self._spawn(f'worker-{number}', 'org.apache.spark.deploy.worker.Worker', '--host', '127.0.0.1', '--webui-port', 0,
                        '--cores', 1, '--memory', '1g', '--work-dir', self.folder / f'work-{number}',
                        f'spark://127.0.0.1:{self.port}')
        log = self.folder / 'master.log'
        self.wait(lambda: log.read_text().count('Registering worker') >= 2, 'the workers do not register')
        return self

    def _spawn(self, name, *words):
        with open(self.folder / f'{name}.log', 'wb') as log:
            subprocess.Popen([self._home / 'bin/spark-class', *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                             stdout=log, stderr=log, start_new_session=True)

    def __exit__(self, *_):
        for number in (signal.SIGTERM, signal.SIGKILL):
            end = time.monotonic() + 10
            while (left := processes()) and time.monotonic() < end:
                for process in left:
                    send(process, number)
                time.sleep(0.2)
                reap()
        if left := processes():
            raise Failed(f'{len(left)} processes stay')

    @staticmethod
    def wait(holds, message, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise Failed(message)
            time.sleep(0.05)


def reap():
    """Takes note of the end of children, those that came here as orphans among them."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def send(process, number):
    try:
        os.kill(process.number, number)
    except OSError:
        pass


class Application:
    """The program that drives: it takes a job at a time, as a line."""

    def __init__(self, cluster, wheel, recipe):
        self._log = open(cluster.folder / 'application.log', 'wb')
        self._process = subprocess.Popen(
            [os.environ['PYSPARK_PYTHON'], pathlib.Path(__file__).with_name('job.py'), wheel, recipe],
            env={**cluster.environment, 'PYTHONPATH': str(cluster.package)}, cwd=recipe.parent,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self.hello = self._answer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(60)

    def begin(self, shards, jobs, out):
        """Begins a job."""
        line = json.dumps({'shards': [str(shard) for shard in shards], 'jobs': jobs, 'out': str(out)}) + '\n'
        self._process.stdin.write(line.encode())
        self._process.stdin.flush()

    def end(self):
        """Waits for the end of the job: the seconds that it took."""
        return self._answer()['seconds']

    def run(self, *job):
        self.begin(*job)
        return self.end()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise Failed(f'the application ended; the end of its log: {pathlib.Path(self._log.name).read_text()[-2000:]}')
        return json.loads(line)
