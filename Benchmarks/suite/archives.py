"""Archives: listed, taken apart, checked, indexed and written, in turn with the programs that people use for it."""
import base64
import gzip
import hashlib
import random
import uuid

from measure import processes_in_turn


def make(tools, megabytes):
    """A WARC.gz of real pages, a request and a response each; a third in gzip, a fourth in chunks."""
    path, chance = tools.folder / 'pages.warc.gz', random.Random(7)
    pages = [page.read_bytes() for page in sorted(tools.pages.glob('*.html'))]
    with open(path, 'wb') as file:
        number = 0
        while file.tell() < megabytes * 1_000_000:
            page = pages[number % len(pages)] + b'<!-- %d -->' % chance.getrandbits(60)
            is_coded, is_chunked = number % 3 == 0, number % 4 == 0
            entity = gzip.compress(page, 6, mtime=0) if is_coded else page
            body = entity
            if is_chunked:
                pieces = [entity[start:start + 16000] for start in range(0, len(entity), 16000)]
                body = b''.join(b'%x\r\n%s\r\n' % (len(piece), piece) for piece in pieces) + b'0\r\n\r\n'
            fields = [b'Content-Type: text/html; charset=utf-8', b'Server: nginx', b'Cache-Control: max-age=300',
                      b'Transfer-Encoding: chunked' if is_chunked else b'Content-Length: %d' % len(body)]
            if is_coded:
                fields.append(b'Content-Encoding: gzip')
            response = b'HTTP/1.1 200 OK\r\n' + b'\r\n'.join(fields) + b'\r\n\r\n' + body
            host = f'site{number % 97}.example'
            request = f'GET /{number} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: bench\r\n\r\n'.encode()
            own = uuid.UUID(int=chance.getrandbits(128), version=4)
            other = uuid.UUID(int=chance.getrandbits(128), version=4)
            for kind, name, block, more in [
                    ('response', own, response, f'WARC-Payload-Digest: sha1:{digest(entity)}\r\n'),
                    ('request', other, request, f'WARC-Concurrent-To: <urn:uuid:{own}>\r\n')]:
                head = (f'WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n'
                        f'WARC-Date: 2024-03-04T10:{number // 60 % 60:02}:{number % 60:02}Z\r\n'
                        f'WARC-Target-URI: https://{host}/{number}\r\nContent-Type: application/http; msgtype={kind}\r\n'
                        f'{more}WARC-Block-Digest: sha1:{digest(block)}\r\nContent-Length: {len(block)}\r\n\r\n')
                file.write(gzip.compress(head.encode() + block + b'\r\n\r\n', 6, mtime=0))
            number += 1
    return path


def digest(data):
    return base64.b32encode(hashlib.sha1(data).digest()).decode()


def archives(tools, cases, settings):
    warc = make(tools, settings.archive_megabytes)
    plain = tools.folder / 'pages.warc'
    with gzip.open(warc) as packed, open(plain, 'wb') as file:
        while piece := packed.read(1 << 20):
            file.write(piece)
    webinspect = tools.binaries / 'webinspect'

    def compare(name, ours, **peers):
        programs = [('webinspect', [webinspect, *ours])]
        if tools.python:
            programs += [(peer, [tools.python, tools.peer('archive'), *line]) for peer, line in peers.items()]
        processes_in_turn(cases.case('archives', name, 'archive'), programs, settings.archive_rounds)

    compare('records listed', ['archive', 'ls', warc, '--jsonl'],
            FastWARC=['list', 'fastwarc', warc], warcio=['list', 'warcio', warc])
    compare('title and links of each page',
            ['extract', '-e', 'title=title', '-e', 'links[]=a@href', '--from', warc, '--all', '--jsonl'],
            FastWARC_and_lexbor=['pages', 'fastwarc', warc], warcio_and_lexbor=['pages', 'warcio', warc])
    job = ['--from', warc, '--all', '--run', "both=extract -e title=title -e 'links[]=a@href' --no-worker"]
    compare('title and links of each page, by `pipe`', ['pipe', *job], FastWARC_and_lexbor=['pages', 'fastwarc', warc])
    compare('digests and structure checked', ['archive', 'verify', warc], warcio_check=['check', 'warcio', warc])
    compare('indexed', ['archive', 'index', warc, '-o', tools.folder / 'ours.cdxj'],
            cdxj_indexer=['index', 'cdxj-indexer', warc, tools.folder / 'theirs.cdxj'])
    compare('written in gzip', ['archive', 'create', plain, '-o', tools.folder / 'ours.warc.gz'],
            warcio_recompress=['write', 'warcio', plain, tools.folder / 'theirs.warc.gz'])
