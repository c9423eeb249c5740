import CLibXML2

/// libxml2 as a whole.
enum LibXML2 {
    /// Sets libxml2 up, once; whatever makes a tree calls it first.
    ///
    /// libxml2 would do so by itself on first use, but not safely: two threads whose first dictionaries are made at
    /// the same time each make the lock for them, and all that come later may wait for one that nobody holds.
    @inline(__always)
    static func initialize() {
        _ = isInitialized
    }

    /// The version that it was built with.
    static var version: LibraryVersion {
        unsafe LibraryVersion(name: "libxml2", version: String(cString: webl_libxml2_version()))
    }

    private static let isInitialized: Bool = {
        xmlInitParser()
        webl_silence()
        return true
    }()
}
