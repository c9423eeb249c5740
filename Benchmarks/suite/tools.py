"""What is measured, built; and what it is compared with, where that is installed."""
import gzip
import os
import pathlib
import shutil
import subprocess

from measure import output

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = ROOT / 'Benchmarks/suite'
BUILD = ROOT / '.build-bench'

# Of PyPI, into a folder of their own: what the library and the command are compared with.
PACKAGES = ['lxml', 'cssselect', 'selectolax', 'hishel', 'httpx', 'resiliparse', 'warcio', 'fastwarc', 'cdxj-indexer',
            'scrapy', 'xmldiff', 'trafilatura', 'readability-lxml', 'linkchecker', 'protego']


def shared(path, otherwise):
    """A file or folder of the data beside the project, or what Scripts/suites has got; one of the project's where there is none."""
    named = pathlib.Path(os.environ.get('WEBLOADER_SHARED', ROOT.parent / 'shared'))
    places = [folder / path for folder in (named, ROOT / '.suites')]
    return next((place for place in places if place.exists()), ROOT / otherwise)


def quietly(arguments, **options):
    subprocess.run([str(argument) for argument in arguments], check=True, stdout=subprocess.DEVNULL, **options)


class Tools:
    """Paths of everything, each built when it is first asked for."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._built = {}

    def _once(self, name, build):
        if name not in self._built:
            self._built[name] = build()
        return self._built[name]

    @property
    def bench(self):
        """The program that measures the library from inside."""
        def build():
            quietly([ROOT / 'Scripts/build', '--product', 'bench'], stderr=subprocess.DEVNULL)
            return ROOT / '.build-release/release/bench'
        return self._once('bench', build)

    @property
    def adapter(self):
        """The program that looks inside the library: it parses and frees, and does nothing else."""
        def build():
            quietly([ROOT / 'Scripts/build', '--product', 'conformance-adapter', '-Xswiftc', '-enable-testing'],
                    env={**os.environ, 'SCRATCH': '.build-conformance'}, stderr=subprocess.DEVNULL)
            return ROOT / '.build-conformance/release/conformance-adapter'
        return self._once('adapter', build)

    @property
    def binaries(self):
        """A folder with the release as it is packaged: webinspect, its worker; and the server of fixtures."""
        def build():
            for product in ('webinspect', 'fixture-server'):
                quietly([ROOT / 'Scripts/build', '--product', product], stderr=subprocess.DEVNULL)
            folder = self.folder / 'bin'
            folder.mkdir()
            for name in ('webinspect', 'webinspect-worker', 'webinspect-server', 'fixture-server'):
                quietly(['strip', '-o', folder / name, ROOT / '.build-release/release' / name])
            return folder
        return self._once('binaries', build)

    @property
    def python(self):
        """A Python that has the packages to compare with; None if they cannot be had."""
        def build():
            python = BUILD / 'venv/bin/python'
            try:
                if not python.exists():
                    quietly(['python3', '-m', 'venv', BUILD / 'venv'])
                quietly([python, '-m', 'pip', 'install', '-q', *PACKAGES], stderr=subprocess.DEVNULL)
            except (OSError, subprocess.CalledProcessError):
                return None
            return python
        return self._once('python', build)

    def floor(self, name, library):
        """What the bare C library does: the shared program, or the project's own of the same purpose."""
        def build():
            source = shared(f'bench/{name}_floor.c', f'Benchmarks/floors/{name}.c')
            flags = output(['pkg-config', '--cflags', '--libs', library]).split()
            program = self.folder / f'{name}_floor'
            quietly(['cc', '-O2', '-o', program, source, *flags])
            return program
        return self._once(name, build)

    @property
    def pages(self):
        """The folder of pages to measure on: real ones, or the fixtures without them."""
        return shared('conformance/pages/pages', 'Fixtures/html')

    @property
    def articles(self):
        """A folder of those pages and of the articles to find the text of, unpacked."""
        def build():
            folder = self.folder / 'articles'
            folder.mkdir()
            for page in self.pages.glob('*.html'):
                shutil.copy(page, folder)
            for page in shared('conformance/articles/pages', 'Fixtures/html').glob('*.html.gz'):
                (folder / page.stem).write_bytes(gzip.decompress(page.read_bytes()))
            return folder
        return self._once('articles', build)

    @property
    def page(self):
        """One page of about 90 KB."""
        real = self.pages / 'mozilla-1.html'
        return real if real.exists() else max(self.pages.glob('*.html'), key=lambda page: page.stat().st_size)

    def has(self, program):
        return shutil.which(program) is not None

    def peer(self, name):
        """A script of peers/, to be run by `python`."""
        return SUITE / f'peers/{name}.py'

    def machine(self):
        """What was measured on, as lines."""
        cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), '?')
        memory = int(open('/proc/meminfo').readline().split()[1]) // (1 << 20)
        system = next(line.split('"')[1] for line in open('/etc/os-release') if line.startswith('PRETTY_NAME'))
        lines = [('Processor', f'{cpu}, {os.cpu_count()} of its cores, shared with other machines'),
                 ('Memory', f'{memory} GiB'), ('System', f'{system}, Linux {os.uname().release.split("-")[0]}'),
                 ('Swift', next(iter(output(['swift', '--version']).splitlines()), '?')),
                 ('libxml2', output(['pkg-config', '--modversion', 'libxml-2.0'])),
                 ('libcurl', output(['pkg-config', '--modversion', 'libcurl']))]
        for program, package in [('xmllint', 'libxml2-utils'), ('pup', 'pup'), ('w3m', 'w3m'), ('curl', 'curl'),
                                 ('nginx', 'nginx-light')]:
            version = output(['dpkg-query', '-W', '-f', '${Version}', package])
            lines.append((program, version or 'absent'))
        if self.python:
            versions = output([self.python, '-m', 'pip', 'list', '--format=freeze']).splitlines()
            for package in PACKAGES:
                lines.append((package, next((line.split('==')[1] for line in versions
                                             if line.startswith(package + '==')), 'absent')))
        return lines
