from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import webinspect
from support import BINARY, run_program
from test_run import SOURCES

PROJECT = os.path.dirname(os.path.dirname(SOURCES))
PROGRAM = """
import sys, webinspect
assert webinspect.__file__.startswith(sys.prefix), webinspect.__file__
assert webinspect.find().startswith(sys.prefix), webinspect.find()
page = webinspect.Page.from_html("<h1>Tea</h1>")
print(page.extract({"title": "h1"}), [r.id for r in webinspect.run("meta", ["data:text/html,a"])])
"""


class WheelTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        missing = [name for name in ("readelf", "strip") if shutil.which(name) is None]
        if missing:
            raise unittest.SkipTest(f"{' and '.join(missing)} of binutils is not there")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.wheel = cls.build("a")

    @classmethod
    def build(cls, name: str, binaries: str = os.path.dirname(os.path.realpath(BINARY))) -> str:
        answer = run_program(
            [os.path.join(PROJECT, "Scripts/wheel"), os.path.join(cls.folder, name)],
            env={**os.environ, "WEBLOADER_BINARIES": binaries},
            stdout=subprocess.PIPE,
            check=True,
        )
        return answer.stdout.decode().strip()

    def test_it_is_the_same_each_time(self) -> None:
        again = self.build("b")
        self.assertEqual(os.path.basename(again), os.path.basename(self.wheel))
        with open(again, "rb") as one, open(self.wheel, "rb") as other:
            self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(other.read()).digest())

    def test_its_record_names_and_modes(self) -> None:
        self.assertRegex(
            os.path.basename(self.wheel),
            rf"^webinspect-{webinspect.__version__}-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl$",
        )
        info = f"webinspect-{webinspect.__version__}.dist-info"
        with zipfile.ZipFile(self.wheel) as archive:
            self.assertIsNone(archive.testzip())
            record = archive.read(f"{info}/RECORD").decode().splitlines()
            self.assertEqual({line.split(",")[0] for line in record}, set(archive.namelist()))
            for line in record:
                name, digest, size = line.split(",")
                if name.endswith("/RECORD"):
                    continue
                data = archive.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={expected}", len(data)))
            for entry in archive.infolist():
                executable = bool(entry.external_attr >> 16 & 0o111)
                self.assertEqual(executable, entry.filename.startswith("webinspect/bin/"))
            self.assertIn("webinspect/py.typed", archive.namelist())
            tag = os.path.basename(self.wheel)[:-4].split("-", 2)[2]
            self.assertIn(f"Tag: {tag}\n", archive.read(f"{info}/WHEEL").decode())

    def check(self, python: str) -> None:
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        answer = run_program(
            [python, "-c", PROGRAM], cwd=self.folder, env=environment, stdout=subprocess.PIPE, check=True
        )
        self.assertEqual(answer.stdout, b"{'title': 'Tea'} [1]\n")
        answer = run_program(
            [python, "-m", "webinspect", "--version"], cwd=self.folder, env=environment, stdout=subprocess.PIPE
        )
        self.assertEqual(answer.returncode, 0)

    def environment(self, name: str, *flags: str) -> str:
        path = os.path.join(self.folder, name)
        answer = run_program(
            [sys.executable, "-m", "venv", *flags, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if answer.returncode != 0:
            self.skipTest(f"python3 -m venv {' '.join(flags)} does not work here")
        return path

    def test_installed_by_pip_it_works_without_the_project(self) -> None:
        python = os.path.join(self.environment("pip"), "bin/python")
        if run_program([python, "-m", "pip", "--version"], stdout=subprocess.DEVNULL).returncode != 0:
            self.skipTest("pip is not there")
        run_program(
            [python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--quiet", self.wheel],
            check=True,
        )
        self.check(python)
        run_program([python, "-m", "pip", "check", "--disable-pip-version-check"], check=True, stdout=subprocess.DEVNULL)
        run_program(
            [python, "-m", "pip", "uninstall", "--yes", "--quiet", "--disable-pip-version-check", "webinspect"], check=True
        )

    def test_unpacked_it_works_without_the_project(self) -> None:
        path = self.environment("unpacked", "--without-pip")
        packages = os.path.join(path, "lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")
        with zipfile.ZipFile(self.wheel) as archive:
            for entry in archive.infolist():
                os.chmod(archive.extract(entry, packages), entry.external_attr >> 16 & 0o777)
        self.check(os.path.join(path, "bin/python"))

    def test_a_program_with_a_foreign_library_is_refused(self) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            self.skipTest("no C compiler")
        folder = os.path.join(self.folder, "foreign")
        os.mkdir(folder)
        library = os.path.join(folder, "libforeign.so.7")
        source = os.path.join(folder, "main.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("int foreign(void); int main(void) { return foreign(); }\n")
        with open(os.path.join(folder, "foreign.c"), "w", encoding="ascii") as file:
            file.write("int foreign(void) { return 0; }\n")
        run_program(
            [compiler, "-shared", "-fPIC", "-Wl,-soname,libforeign.so.7", os.path.join(folder, "foreign.c"), "-o", library],
            check=True,
        )
        for name in ("webinspect", "webinspect-worker", "webinspect-server"):
            run_program([compiler, source, library, "-o", os.path.join(folder, name)], check=True)
        answer = run_program(
            [os.path.join(PROJECT, "Scripts/wheel"), self.folder],
            env={**os.environ, "WEBLOADER_BINARIES": folder},
            stderr=subprocess.PIPE,
        )
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn(b"libforeign.so.7", answer.stderr)


if __name__ == "__main__":
    unittest.main()
