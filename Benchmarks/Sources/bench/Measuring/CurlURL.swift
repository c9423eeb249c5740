import CLibcurlURL
import Glibc

/// A base URL as a libcurl handle.
@safe final class CurlURL {
    private let handle: OpaquePointer

    /// The flags that come closest to what a browser accepts.
    private static let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)

    init?(_ url: String) {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
        guard unsafe curl_url_set(handle, CURLUPART_URL, url, Self.flags) == CURLUE_OK else { return nil }
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// The length of the absolute URL to which libcurl resolves a reference; `nil` if it rejects the reference.
    func resolvedLength(_ reference: UnsafePointer<CChar>) -> Int? {
        guard let copy = unsafe curl_url_dup(handle) else { return nil }
        defer { unsafe curl_url_cleanup(copy) }
        return unsafe Self.length(setting: reference, of: copy)
    }

    /// The length of an absolute URL after libcurl has parsed it; `nil` if it rejects the URL.
    static func parsedLength(_ url: UnsafePointer<CChar>) -> Int? {
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        return unsafe length(setting: url, of: handle)
    }

    private static func length(setting reference: UnsafePointer<CChar>, of handle: OpaquePointer) -> Int? {
        guard unsafe curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe strlen(text)
    }
}
