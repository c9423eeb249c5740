public import Foundation
public import WebDocument
public import WebLoader
public import WebStandards

extension PageLoader {
    /// Creates a page from data, as ``/WebLoader/PageLoader/loadData(_:mimeType:textEncodingName:baseURL:delegate:)`` does.
    public func loadData(
        _ data: Data,
        mimeType: String?,
        textEncodingName: String?,
        baseURL: URL?,
        delegate: (any PageLoadDelegate)? = nil
    ) async throws -> Page {
        try await loadData(
            Array(data),
            mimeType: mimeType,
            textEncodingName: textEncodingName,
            baseURL: try baseURL.map { try WebURL($0) },
            delegate: delegate
        )
    }
}

extension ParsedPage {
    /// Parses data, as ``/WebDocument/ParsedPage/init(data:mimeType:textEncodingName:baseURL:limits:)`` does.
    public convenience init(
        data: Data,
        mimeType: String? = nil,
        textEncodingName: String? = nil,
        baseURL: URL?,
        limits: LoadLimits = LoadLimits()
    ) throws {
        try self.init(
            data: Array(data),
            mimeType: mimeType,
            textEncodingName: textEncodingName,
            baseURL: try baseURL.map { try WebURL($0) },
            limits: limits
        )
    }
}
