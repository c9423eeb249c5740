import WebStandards

/// The folders of a mirror while names are given: which are taken in each.
struct NameTree {
    private struct Folder {
        /// The names of its files and folders, as systems may take them for the same.
        var taken: Set<String> = []
        /// Its folders, by the part of a URL that they stand for.
        var children: [String: Int] = [:]
        /// Its path from the mirror's top.
        var path: [String] = []
    }

    private var folders: [Folder] = [Folder()]

    /// The top folder.
    static let top = 0

    /// Takes names in the top folder that are not to be given.
    init(reserving names: [String]) {
        for name in names { folders[Self.top].taken.insert(SafeFileName.key(name)) }
    }

    /// The path of a folder, from the top.
    func path(of folder: Int) -> [String] { folders[folder].path }

    /// Bytes of a folder's path.
    func length(of folder: Int) -> Int {
        folders[folder].path.reduce(0) { $0 + $1.utf8.count + 1 }
    }

    /// The folder in a folder that stands for a part of a URL; made where it is new.
    mutating func folder(in parent: Int, for part: String, named name: String) -> Int {
        if let known = folders[parent].children[part] { return known }
        let free = file(name, "", in: parent, part)
        let number = folders.count
        folders.append(Folder(path: folders[parent].path + [free]))
        folders[parent].children[part] = number
        return number
    }

    /// Gives a file its name in a folder, and takes it.
    ///
    /// - Parameters:
    ///   - stem: The name that it is to have, without its extension.
    ///   - ending: Its extension, with the dot.
    ///   - folder: The folder.
    ///   - identity: What no other file of the mirror has.
    /// - Returns: The name.
    mutating func file(_ stem: String, _ ending: String, in folder: Int, _ identity: String) -> String {
        var number = 0
        while true {
            let name = number == 0 ? stem + ending : Self.marked(stem, ending, identity, number) + ending
            if folders[folder].taken.insert(SafeFileName.key(name)).inserted { return name }
            number += 1
        }
    }

    /// A name, up to its ending, with what tells it from others: a hash, which does not change when others come and go.
    static func marked(_ stem: String, _ ending: String, _ identity: String, _ number: Int = 1) -> String {
        let mark = "-" + hash(number > 1 ? "\(number) \(identity)" : identity)
        let room = SafeFileName.maximumLength - mark.utf8.count - ending.utf8.count
        return SafeFileName.name(like: stem.utf8, maximumLength: room) + mark
    }

    /// Bytes that tell a name from others.
    static let markLength = 13

    /// Twelve digits that stand for a text.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The last bytes of a text reach the upper half only by a second turn.
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        return String((hash ^ hash >> 32).hexadecimal(digits: 16).prefix(12))
    }
}
