// Requests and responses are made of URLs and fields: whoever imports the transport gets those too.
@_exported public import WebStandards
