import CCurl

/// The libcurl library: loads it, and returns its version.
package enum CurlLibrary {
    /// Loads the library; returns why that failed, or nil on success.
    package static func open() -> String? {
        unsafe webl_curl_load().map { unsafe "libcurl could not be loaded: \(String(cString: $0))" }
    }

    /// Its version and those of the libraries that it was built with, or why it could not be loaded.
    package static var version: LibraryVersion {
        if let problem = open() { return LibraryVersion(name: "libcurl", version: problem) }
        let words = unsafe String(cString: webl_curl_version())
        // As in "libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13".
        guard words.hasPrefix("libcurl/") else { return LibraryVersion(name: "libcurl", version: words) }
        return LibraryVersion(name: "libcurl", version: String(words.dropFirst(8)))
    }
}
