"""Many pages: links checked, a site crawled, jobs run on a list, and what a job's state takes, in turn with floors and peers."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import time

from measure import peak, processes_in_turn, run

NGINX = '''daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/errors.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; types {{ text/html html; text/css css; image/png png; }} default_type application/octet-stream; keepalive_requests 1000000;
    client_body_temp_path {folder}/t; proxy_temp_path {folder}/t; fastcgi_temp_path {folder}/t; uwsgi_temp_path {folder}/t;
    scgi_temp_path {folder}/t;
    server {{ listen 127.0.0.1:{port}; root {root}; sendfile on; tcp_nopush on; }}
}}
'''

SPIDER = '''import scrapy

class Site(scrapy.Spider):
    name = 'site'
    custom_settings = dict(LOG_ENABLED=False, CONCURRENT_REQUESTS=16, CONCURRENT_REQUESTS_PER_DOMAIN=16, DOWNLOAD_DELAY=0,
                           ROBOTSTXT_OBEY=True, JOBDIR='{job}', TELNETCONSOLE_ENABLED=False)
    start_urls = ['{url}']

    def parse(self, response):
        yield {{'url': response.url, 'links': response.css('a::attr(href)').getall()}}
        yield from response.follow_all(css='a.page')
'''


def make(tools, count):
    """A site: a page that links to so many pages of about 100 KB each, of real text, no two of them alike."""
    root = tools.folder / 'site'
    root.mkdir()
    sources = [page.read_bytes() for page in sorted(tools.pages.glob('*.html')) if page.stat().st_size > 20_000]
    sources = sources or [page.read_bytes() for page in tools.pages.glob('*.html')]
    links = ''.join(f'<li><a class=page href="/p{number}.html">page {number}</a>\n' for number in range(count))
    (root / 'index.html').write_text(f'<!DOCTYPE html><title>site</title><ul>\n{links}</ul>\n')
    for number in range(count):
        page = sources[number % len(sources)][:100_000]
        page += b'<!-- ' + os.urandom(16).hex().encode() + b' -->'
        page += b' ' * max(0, 100_000 - len(page))
        (root / f'p{number}.html').write_bytes(page)
    (root / 'robots.txt').write_text('User-agent: *\nDisallow: /none/\n')
    return root


@contextlib.contextmanager
def served(tools, root):
    """Serves a folder; gives its URL."""
    port = 20_000 + os.getpid() % 20_000
    (tools.folder / 'nginx.conf').write_text(NGINX.format(folder=tools.folder, port=port, root=root))
    child = subprocess.Popen(['nginx', '-e', tools.folder / 'errors.log', '-c', tools.folder / 'nginx.conf', '-p', tools.folder])
    try:
        for _ in range(100):
            with contextlib.suppress(subprocess.CalledProcessError):
                subprocess.run(['curl', '-sfo', '/dev/null', f'http://127.0.0.1:{port}/robots.txt'], check=True)
                break
            time.sleep(0.05)
        yield f'http://127.0.0.1:{port}/'
    finally:
        child.terminate()
        child.wait()


def sites(tools, cases, settings):
    webinspect, rounds, count = tools.binaries / 'webinspect', settings.site_rounds, settings.site_pages
    extraction(tools, cases, rounds)
    root = make(tools, count)
    with served(tools, root) as url:
        check(tools, cases, url, rounds)
        floor = tools.floor('fetch', 'libcurl')
        out, urls, answers = (tools.folder / name for name in ('crawl.warc.gz', 'urls.txt', 'answers.jsonl'))
        urls.write_text(''.join(f'{url}p{number}.html\n' for number in range(count)))
        # A run begins where the one before has left nothing.
        fresh = ['sh', '-c', 'rm -rf "$1"*; shift; exec "$@"', 'sh']
        # Real pages refer to hosts that are not there, and to files that the site has not: the pages alone, as the others load them.
        only = ['--no-resources', '--include', f'{url}p*.html']
        programs = [('webinspect crawl', [*fresh, out, webinspect, 'crawl', url, *only, '-o', out, '-s']),
                    ('libcurl alone', [floor, count, 16, f'{url}p0.html'])]
        if tools.python and (tools.python.parent / 'scrapy').exists():
            spider, job = tools.folder / 'spider.py', tools.folder / 'job'
            spider.write_text(SPIDER.format(job=job, url=url))
            programs.append(('Scrapy with a job folder',
                             [*fresh, job, tools.python.parent / 'scrapy', 'runspider', spider, '-O', tools.folder / 'scrapy.jsonl']))
        case = cases.case('sites', f'a site of {count} pages of 100 KB crawled', 'site')
        processes_in_turn(case, programs, rounds)
        processes_in_turn(
            cases.case('sites', f'links and text of {count} pages of 100 KB', 'list'),
            [('webinspect batch', [*fresh, answers, webinspect, 'batch', urls, '--run', 'links', '--run', 'text', '-o', answers, '-s']),
             ('libcurl alone', [floor, count, 16, f'{url}p0.html'])], rounds)
    frontier(tools, cases, settings.frontier_urls)


def extraction(tools, cases, rounds):
    """Links found in pages on disk, as the first half of a check."""
    pages = sorted(tools.pages.glob('*.html'))
    size = sum(page.stat().st_size for page in pages)
    case = cases.case('sites', 'links of pages on disk', f'all {len(pages)} pages')
    programs = [('webinspect links', [tools.binaries / 'webinspect', 'links', *pages, '-s'])]
    if tools.has('lychee'):
        programs.append(('lychee --dump', ['lychee', '--dump', '--no-progress', *pages]))
    processes_in_turn(case, programs, rounds)
    seconds = sorted(case.subjects[0].cpu)[len(case.subjects[0].cpu) // 2]
    case.notes.append(f'{size / 1e6:.1f} MB: {size / 1e6 / seconds:.0f} MB a second of CPU.')


def check(tools, cases, url, rounds):
    """A page with 1,000 links to its own host; each target is asked."""
    folder = tools.folder / 'site'
    leaf = '<!DOCTYPE html><title>leaf</title><p>words'
    for number in range(1000):
        (folder / f'l{number}.html').write_text(leaf)
    (folder / 'links.html').write_text('<!DOCTYPE html><title>links</title>\n' +
                                       ''.join(f'<p><a href="/l{number}.html">x</a>\n' for number in range(1000)))
    programs = [('webinspect check', [tools.binaries / 'webinspect', 'check', f'{url}links.html', '--format', 'jsonl', '-s'])]
    if tools.has('lychee'):
        programs.append(('lychee', ['lychee', '--no-progress', '--max-concurrency', '64', f'{url}links.html']))
    linkchecker = tools.python and tools.python.parent / 'linkchecker'
    if linkchecker and linkchecker.exists():
        programs.append(('linkchecker', [linkchecker, '--no-status', '-r1', '--check-extern', f'{url}links.html']))
    processes_in_turn(cases.case('sites', '1,000 links checked on loopback', 'page'), programs, rounds)


def frontier(tools, cases, largest):
    """What the state of a job takes: time, memory and disk by the number of its URLs."""
    case, rows = cases.case('sites', "a job's state", 'job'), []
    for count in [size for size in (10_000, 100_000, 1_000_000) if size <= largest] or [largest]:
        folder = tools.folder / 'frontier'
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        command = [tools.bench, 'frontier']
        filled = run([*command, 'fill', folder, '--urls', count])
        size = sum(file.stat().st_size for file in folder.iterdir())
        opened = run([*command, 'open', folder])
        memory = peak([*command, 'open', folder])
        worked = run([*command, 'work', folder])
        again = pathlib.Path(folder) / 'again'
        again.mkdir()
        filling = peak([*command, 'fill', again, '--urls', count])
        rows.append((f'{count:,}', f'{filled.cpu / count * 1e6:.1f}', f'{worked.cpu / count * 1e6:.1f}', f'{size / 1e6:.1f}',
                     f'{filling / 1e6:.0f}', f'{memory / 1e6:.0f}', f'{opened.wall * 1000:.0f}'))
    case.table = (('URLs', 'CPU µs to add one', 'CPU µs to finish one', 'MB on disk', 'MB of memory, adding',
                   'MB of memory, opened', 'ms to open, with the process'), rows)
