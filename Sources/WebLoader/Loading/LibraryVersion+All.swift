extension LibraryVersion {
    /// The libraries: libxml2, libcurl with those that it was built with (TLS among them), Lua, PCRE2, libyaml.
    ///
    /// Opens libcurl.
    package static var all: [LibraryVersion] {
        [LibXML2.version, CurlLibrary.version, LuaEngine.version, Pattern.version, YAMLReader.version]
    }

    /// Why nothing can be fetched here; nil if libcurl is there.
    package static var fetchingProblem: String? { CurlLibrary.open() }

    /// The content codings that responses may have here, as they are offered to servers.
    package static var contentCodings: String { ContentCoding.acceptEncoding }
}
