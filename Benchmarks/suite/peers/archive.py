"""What others do with a WARC: list, pages, check, index, write."""
import json
import os
import sys

what, who, path, *rest = sys.argv[1:]
scripts = os.path.dirname(sys.executable)


def links(html):
    from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(html)
    title = tree.css_first('title')
    links = [a.attributes['href'] for a in tree.css('a[href]')]
    print(json.dumps({'title': title.text() if title else None, 'links': links}))


if what in ('check', 'index', 'write'):
    line = {'check': ['warcio', 'check', path], 'index': ['cdxj-indexer', '-s', '-o', *rest, path],
            'write': ['warcio', 'recompress', path, *rest]}[what]
    os.execv(os.path.join(scripts, line[0]), line)
if who == 'fastwarc':
    from fastwarc.warc import ArchiveIterator, WarcRecordType, any_type
    kinds = any_type if what == 'list' else WarcRecordType.response
    for record in ArchiveIterator(open(path, 'rb'), parse_http=True, record_types=kinds):
        if what == 'pages':
            links(record.reader.read())
            continue
        http = record.http_headers
        print(json.dumps({'offset': record.stream_pos, 'id': record.record_id, 'url': record.headers.get('WARC-Target-URI'),
                          'date': record.headers.get('WARC-Date'), 'status': http.status_code if http else None,
                          'type': record.http_content_type if http else None,
                          'digest': record.headers.get('WARC-Payload-Digest')}))
else:
    from warcio.archiveiterator import ArchiveIterator
    with open(path, 'rb') as file:
        records = ArchiveIterator(file)
        for record in records:
            if what == 'pages':
                if record.rec_type == 'response':
                    links(record.content_stream().read())
                continue
            field, http = record.rec_headers.get_header, record.http_headers
            print(json.dumps({'offset': records.get_record_offset(), 'id': field('WARC-Record-ID'), 'url': field('WARC-Target-URI'),
                              'date': field('WARC-Date'), 'status': http.get_statuscode() if http else None,
                              'type': http.get_header('Content-Type') if http else None,
                              'digest': field('WARC-Payload-Digest')}))
