// `import WebCopy` alone is enough.
@_exported public import WebLoader
