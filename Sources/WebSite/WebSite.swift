// `import WebSite` alone is enough.
@_exported public import WebDatabase
@_exported public import WebLoader
