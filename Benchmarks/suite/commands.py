"""The command as a whole process, in turn with other tools."""
import contextlib
import subprocess

from measure import processes_in_turn, run
from tools import quietly

# Swift programs with nothing, libxml2 and libcurl in them: what a command costs before it does anything.
NOTHING = 'print("ready")\n'
CALL = '@_silgen_name("count") func count(_ path: UnsafePointer<CChar>) -> Int32\nprint(count(CommandLine.arguments[1]))\n'
LIBXML2 = '''#include <libxml/HTMLparser.h>
int count(const char *path) {
    xmlDocPtr document = htmlReadFile(path, "UTF-8", HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_RECOVER);
    return xmlDocGetRootElement(document) != NULL;
}
'''
LIBCURL = '''#include <curl/curl.h>
int count(const char *path) { return curl_version() != NULL && path != NULL; }
'''


@contextlib.contextmanager
def server(tools, page):
    """Serves the page's folder; gives the page's URL."""
    child = subprocess.Popen([tools.binaries / 'fixture-server', page.parent, '600'], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    try:
        yield f'http://127.0.0.1:{child.stdout.readline().strip()}/{page.name}'
    finally:
        # It ends when its standard input does.
        child.stdin.close()
        child.wait()


def commands(tools, cases, settings):
    webinspect, page, rounds = tools.binaries / 'webinspect', tools.page, settings.processes
    xmllint = ('xmllint', ['xmllint', '--html', '--noout', '--xpath', '//title', page])

    def compare(name, *programs):
        # What is not installed is left out.
        there = [program for program in programs if program[1] and tools.has(str(program[1][0]))]
        processes_in_turn(cases.case('commands', name, 'process'), there, rounds)

    def python(script, *arguments):
        return [tools.python, tools.peer(script), *arguments] if tools.python else []

    compare('the title of a file',
            ('webinspect select', [webinspect, 'select', 'title', page]), xmllint,
            ('pup', ['pup', '-f', page, 'title']), ('lxml', python('title', page)))
    compare('the whole report of a file', ('webinspect --json', [webinspect, page, '--json']), xmllint)
    compare('the links of a file',
            ('webinspect select', [webinspect, 'select', 'a[href]', page]),
            ('xmllint', ['xmllint', '--html', '--noout', '--xpath', '//a/@href', page]),
            ('pup', ['pup', '-f', page, 'a attr{href}']))
    compare('the text of a file', ('webinspect text', [webinspect, 'text', page]),
            ('w3m -dump', ['w3m', '-dump', '-T', 'text/html', page]))
    with server(tools, page) as url:
        cache, database = tools.folder / 'cache', tools.folder / 'title.db'
        compare('the title over HTTP, from loopback',
                ('webinspect select', [webinspect, 'select', 'title', url, '--refresh', '--no-store']),
                ('curl into pup', ['sh', '-c', f"curl -s '{url}' | pup title"] if tools.has('pup') and tools.has('curl') else []))
        run([webinspect, url, '--cache-dir', cache, '--keep', '--json'])
        if tools.python:
            run(python('cached_title', database, url))
    # The server has gone.
    compare('the title from the cache',
            ('webinspect --cache-only', [webinspect, 'select', 'title', url, '--cache-dir', cache, '--cache-only']),
            ('xmllint on the file', xmllint[1]), ('hishel and lxml', python('cached_title', database, url)))


def startup(tools, cases, settings):
    """What a Swift program costs with nothing in it, and with the libraries."""
    folder, page = tools.folder, tools.page
    for name, text in [('nothing.swift', NOTHING), ('call.swift', CALL), ('xml.c', LIBXML2), ('curl.c', LIBCURL)]:
        (folder / name).write_text(text)
    flags = subprocess.run(['pkg-config', '--cflags', 'libxml-2.0'], capture_output=True, text=True).stdout.split()
    for name in ('xml', 'curl'):
        quietly(['cc', '-O2', '-c', *flags, folder / f'{name}.c', '-o', folder / f'{name}.o'])
    swift = ['swiftc', '-O', '-static-stdlib']
    quietly([*swift, folder / 'nothing.swift', '-o', folder / 'nothing'])
    quietly([*swift, folder / 'call.swift', folder / 'xml.o', '-lxml2', '-o', folder / 'with-xml'])
    quietly([*swift, folder / 'call.swift', folder / 'curl.o', '-lcurl', '-o', folder / 'with-curl'])
    webinspect = tools.binaries / 'webinspect'
    processes_in_turn(cases.case('startup', 'before anything is done', 'process'), [
        ('webinspect FILE --json', [webinspect, page, '--json']),
        ('webinspect FILE --json, read by ArgumentParser', [webinspect, page, '--json', '--timeout=60']),
        ('Swift with nothing', [folder / 'nothing']),
        ('Swift with libxml2, htmlReadFile', [folder / 'with-xml', page]),
        ('Swift with libcurl, nothing done', [folder / 'with-curl', page]),
    ], settings.processes)
