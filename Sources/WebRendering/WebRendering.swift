// `import WebRendering` is enough for what is rendered too.
@_exported public import WebLoader
