/// A library that this one uses, and its version.
package struct LibraryVersion {
    /// Its name.
    package let name: String
    /// Its version, as the library reports it.
    package let version: String
}
