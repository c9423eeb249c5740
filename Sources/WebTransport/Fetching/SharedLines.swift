import CCurl

/// Lists of lines that many transfers share.
@safe final class SharedLines {
    /// The default fields, for a request without fields of its own.
    private(set) var defaultFields: UnsafeMutablePointer<curl_slist>?

    /// Addresses of hosts.
    private(set) var hosts: UnsafeMutablePointer<curl_slist>?

    /// Makes the lists; nil if there is no memory.
    init?(_ configuration: CurlFetcher.Configuration) {
        for field in CurlFetcher.defaultFields {
            guard unsafe Self.append(field.line, to: &defaultFields) else { return nil }
        }
        for line in configuration.hostAddresses {
            guard unsafe Self.append(line, to: &hosts) else { return nil }
        }
    }

    deinit {
        unsafe webl_curl_slist_free_all(defaultFields)
        unsafe webl_curl_slist_free_all(hosts)
    }

    /// Adds a line to a list; false if there is no memory.
    static func append(_ line: String, to lines: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        guard let list = unsafe webl_curl_slist_append(lines, line) else { return false }
        unsafe lines = list
        return true
    }
}
