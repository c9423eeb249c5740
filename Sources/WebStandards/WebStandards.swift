// Fields and statuses are those of swift-http-types: whoever imports this gets them too.
@_exported public import HTTPTypes
