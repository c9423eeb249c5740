import Glibc

/// Operations in a tree of a program's own folders, in which links may have been planted: no link is followed.
extension Directory {
    /// Opens a folder in the directory; a link is not a folder (ENOTDIR).
    ///
    /// - Parameters:
    ///   - name: Its name, without a slash.
    ///   - isMade: Whether it is created if it is missing.
    /// - Returns: The folder.
    /// - Throws: ``File/Failure``, EINVAL if the name is invalid.
    package func folder(own name: String, isMade: Bool = false) throws(File.Failure) -> Directory {
        try Self.check(name)
        if isMade, unsafe mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST {
            throw File.Failure(errno: errno)
        }
        return try Directory(own: name, in: self)
    }

    /// Removes a folder in it that is empty; false if that failed.
    package func removeFolder(_ name: String) -> Bool {
        unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0
    }

    /// Puts a file into it, for everybody to read whom the umask lets, in the place of one of its name or of a link.
    ///
    /// No reader ever sees a part of it; whatever fails leaves what was there.
    ///
    /// - Throws: ``File/Failure``, EINVAL if it is no name.
    package consuming func replace(_ name: String, with bytes: [UInt8]) throws(File.Failure) {
        try Self.check(name)
        var file = try TemporaryFile(OutputPlace.temporaryPrefix, in: self, mode: 0o666)
        try file.file.write(bytes)
        try file.replace(name)
    }

    private static func check(_ name: String) throws(File.Failure) {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0 || $0 == 0x2F })
        else { throw File.Failure(errno: EINVAL, "it is no name of a file") }
    }
}
