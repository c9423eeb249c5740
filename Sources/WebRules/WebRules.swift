// Rules are about documents: whoever imports them gets those too.
@_exported public import WebDocument
