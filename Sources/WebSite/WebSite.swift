// `import WebSite` alone is enough.
@_exported public import WebLoader
