extension LibraryVersion {
    /// The libraries: libxml2, libcurl with those that it was built with (TLS among them), Lua, PCRE2, libyaml.
    ///
    /// It loads libcurl.
    package static var all: [LibraryVersion] {
        [LibXML2.version, CurlLibrary.version, LuaEngine.version, Pattern.version, YAMLReader.version]
    }

    /// Why nothing can be fetched; nil if libcurl can be loaded.
    package static var fetchingProblem: String? { CurlLibrary.open() }

    /// The supported content codings, as sent in Accept-Encoding.
    package static var contentCodings: String { ContentCoding.acceptEncoding }
}
