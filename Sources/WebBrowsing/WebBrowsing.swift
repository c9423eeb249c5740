// `import WebBrowsing` alone is enough.
@_exported public import WebCopy
@_exported public import WebLoader
@_exported public import WebSite
