"""WARC files of real pages, of about 100 KB each, and files that are none."""
import gzip
import hashlib
import pathlib
import random
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'suite'))
from tools import shared  # noqa: E402

SIZE = 100_000


def bodies():
    """Real pages, without the largest, so that they have 100 KB on average; the fixtures, each over and over, without those."""
    folder = shared('conformance/pages/pages', 'Fixtures/html')
    pages = sorted((page.read_bytes() for page in folder.glob('*.html')), key=len)
    if sum(map(len, pages)) < SIZE * len(pages) / 2:
        pages = [page * (SIZE // len(page) + 1) for page in pages if page]
    while sum(map(len, pages)) > SIZE * len(pages):
        pages.pop()
    random.Random(7).shuffle(pages)
    return pages


def record(url, body, kind=b'text/html'):
    """A response, as a member of gzip."""
    block = (b'HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n' % (kind, len(body))) + body
    name = hashlib.md5(url.encode()).hexdigest()
    head = (f'WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name[:8]}-{name[8:12]}-4000-8000-{name[20:]}>\r\n'
            f'WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\n'
            f'Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n')
    return gzip.compress(head.encode() + block + b'\r\n\r\n', 6, mtime=0)


def make(folder, count, files):
    """A number of pages in a number of files, an image between some of them; the files, and the pages' mean length."""
    pages, paths, total = bodies(), [], 0
    for number in range(files):
        paths.append(folder / f'shard-{number:02}.warc.gz')
        with open(paths[-1], 'wb') as file:
            for index in range(count * number // files, count * (number + 1) // files):
                page = pages[index % len(pages)] + b'<!-- %d -->' % index
                total += len(page)
                file.write(record(f'https://site{index % 97}.example/{index}', page))
                if index % 10 == 0:
                    file.write(record(f'https://site{index % 97}.example/{index}.png', b'\x89PNG' * 100, b'image/png'))
    return paths, total / count


def make_bad(folder, good):
    """Files with something wrong, each with the code that its row has to have."""
    whole = good.read_bytes()
    bad = {'missing': None, 'cut': whole[:len(whole) * 2 // 3], 'text': gzip.compress(b'no archive'),
           'noise': random.Random(7).randbytes(100_000), 'empty': b''}
    for name, data in bad.items():
        if data is not None:
            (folder / f'{name}.warc.gz').write_bytes(data)
    # A page of 1 GB: 1 MB of gzip.
    packer, length = zlib.compressobj(9, wbits=31), 1 << 30
    block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
    with open(folder / 'huge.warc.gz', 'wb') as file:
        file.write(packer.compress(
            b'WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n'
            b'WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: https://huge.example/\r\n'
            b'Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n' % (len(block) + length) + block))
        for _ in range(length >> 20):
            file.write(packer.compress(b'<p>x' * (1 << 18)))
        file.write(packer.compress(b'\r\n\r\n') + packer.flush())
        file.write(record('https://small.example/', b'<title>Small</title>'))
    codes = {'missing': 'file.not-found', 'cut': 'archive.truncated', 'text': 'archive.header', 'noise': 'archive.header',
             'empty': 'archive.format', 'huge': 'limit.size'}
    return {str(folder / f'{name}.warc.gz'): code for name, code in codes.items()}
