/// A library that this one uses, and its version.
package struct LibraryVersion {
    /// Its name.
    package let name: String
    /// Its version, as the library reports it.
    package let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
