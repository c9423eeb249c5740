import Glibc

/// Programs that are installed with this one.
package enum InstalledProgram {
    /// The path of this program's file; nil where the system does not say.
    package static let own: String? = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return unsafe readlink("/proc/self/exe", start, buffer.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }()

    /// The folder that this program is in; empty where the system does not say.
    package static let folder = own.map { Directory.split($0).folder } ?? ""

    /// A program of a name, beside this one or in `../libexec`; nil where none is that can be run.
    package static func path(of name: String) -> String? {
        ["\(folder)/\(name)", "\(folder)/../libexec/\(name)", "\(folder)/../libexec/webinspect/\(name)"]
            .first { unsafe access($0, X_OK) == 0 }
    }
}
