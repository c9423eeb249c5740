import CLibXML2

/// The initialization and the version of libxml2.
package enum LibXML2 {
    /// Initializes libxml2, once; all code that makes a tree calls it first.
    ///
    /// libxml2 would do so by itself on first use, but not safely: two threads that make their first
    /// dictionaries at the same time each make the dictionaries' lock, and later threads may then wait for a
    /// lock that no thread holds.
    @inline(__always)
    package static func initialize() {
        _ = isInitialized
    }

    /// The version of libxml2 that the library was built with.
    package static var version: LibraryVersion {
        unsafe LibraryVersion(name: "libxml2", version: String(cString: webl_libxml2_version()))
    }

    private static let isInitialized: Bool = {
        xmlInitParser()
        webl_silence()
        return true
    }()
}
