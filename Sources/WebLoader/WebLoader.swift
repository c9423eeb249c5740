// `import WebLoader` alone is enough for everything.
@_exported public import WebArchive
@_exported public import WebDocument
@_exported public import WebRules
@_exported public import WebStandards
@_exported public import WebTransport
