// `import WebDifference` alone is enough.
@_exported public import WebDocument
