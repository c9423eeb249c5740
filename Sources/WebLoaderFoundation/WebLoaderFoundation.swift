// `import WebLoaderFoundation` alone is enough for pages and for Foundation's types.
@_exported public import WebLoader
