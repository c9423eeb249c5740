/// The version of this library.
public enum WebLoaderVersion {
    /// The version, as in "0.2.0".
    public static let current = "0.2.0"
}
