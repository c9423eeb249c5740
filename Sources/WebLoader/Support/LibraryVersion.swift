/// A library that this one stands on, and its version.
package struct LibraryVersion {
    /// Its name.
    package let name: String
    /// Its version, as it gives it.
    package let version: String
}
