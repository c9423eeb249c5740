import CCurl

/// libcurl as a whole.
enum CurlLibrary {
    /// Opens it; why that fails, nil if it is there.
    static func open() -> String? {
        unsafe webl_curl_load().map { unsafe "libcurl could not be loaded: \(String(cString: $0))" }
    }

    /// Its version and those of the libraries that it was built with, or why it is not there.
    static var version: LibraryVersion {
        if let problem = open() { return LibraryVersion(name: "libcurl", version: problem) }
        let words = unsafe String(cString: webl_curl_version())
        // As in "libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13".
        guard words.hasPrefix("libcurl/") else { return LibraryVersion(name: "libcurl", version: words) }
        return LibraryVersion(name: "libcurl", version: String(words.dropFirst(8)))
    }
}
