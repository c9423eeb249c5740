// Documents are made of URLs, encodings and media types: whoever imports them gets those too.
@_exported public import WebStandards
