import WebStandards

/// The folders of a mirror while names are assigned, with the names that are taken in each.
struct NameTree {
    private struct Folder {
        /// The keys of the names of its files and folders, by which systems may take them for the same.
        var taken: Set<String> = []
        /// Its folders, by the part of a URL that they stand for.
        var children: [String: Int] = [:]
        /// Its path from the mirror's top.
        var path: [String] = []
    }

    private var folders: [Folder] = [Folder()]

    /// The top folder.
    static let top = 0

    /// Reserves names in the top folder.
    init(reserving names: [String]) {
        for name in names { folders[Self.top].taken.insert(SafeFileName.key(name)) }
    }

    /// Returns the path of a folder, from the top.
    func path(of folder: Int) -> [String] { folders[folder].path }

    /// Returns the length of a folder's path, in bytes.
    func length(of folder: Int) -> Int {
        folders[folder].path.reduce(0) { $0 + $1.utf8.count + 1 }
    }

    /// Returns the folder in a folder that stands for a part of a URL, and creates it if it is new.
    mutating func folder(in parent: Int, for part: String, named name: String) -> Int {
        if let known = folders[parent].children[part] { return known }
        let free = file(name, "", in: parent, part)
        let number = folders.count
        folders.append(Folder(path: folders[parent].path + [free]))
        folders[parent].children[part] = number
        return number
    }

    /// Chooses the name of a file in a folder, and reserves it.
    ///
    /// - Parameters:
    ///   - stem: The preferred name, without its extension.
    ///   - ending: Its extension, with the dot.
    ///   - folder: The folder.
    ///   - identity: A text that no other file of the mirror has.
    /// - Returns: The name.
    mutating func file(_ stem: String, _ ending: String, in folder: Int, _ identity: String) -> String {
        var number = 0
        while true {
            let name = number == 0 ? stem + ending : Self.marked(stem, ending, identity, number) + ending
            if folders[folder].taken.insert(SafeFileName.key(name)).inserted { return name }
            number += 1
        }
    }

    /// Returns a name, up to its extension, with a mark that distinguishes it: a hash, which does not change when
    /// others come and go.
    static func marked(_ stem: String, _ ending: String, _ identity: String, _ number: Int = 1) -> String {
        let mark = "-" + hash(number > 1 ? "\(number) \(identity)" : identity)
        let room = SafeFileName.maximumLength - mark.utf8.count - ending.utf8.count
        return SafeFileName.name(like: stem.utf8, maximumLength: room) + mark
    }

    /// The length of such a mark, in bytes.
    static let markLength = 13

    /// Returns a hash of a text, of twelve hexadecimal digits.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Only a second round mixes the last bytes of a text into the upper half.
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        return String((hash ^ hash >> 32).hexadecimal(digits: 16).prefix(12))
    }
}
