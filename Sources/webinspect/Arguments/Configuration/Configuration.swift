import Glibc
import WebLoader

/// The settings outside of the command line: flags take precedence over the environment, that over
/// `./.webinspect.yml`, and that over `$XDG_CONFIG_HOME/webinspect/config.yml`.
///
/// Settings become flags before those of the command line, so that there is one way to parse them.
/// docs/configuration.md describes them to users.
struct Configuration {
    /// The values of settings as flags take them; empty for a flag that is off.
    private var values: [String: [String]] = [:]

    /// Where each value is set, by its setting: a file with line and column, or a variable.
    private var places: [String: String] = [:]

    /// The settings of the working folder's file that are refused, as warnings.
    private var refusals: [String] = []

    /// The arguments after the program's name, with the flags of other settings before them.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - origins: Gets the places of the settings that are flags of the line now, by their flags.
    /// - Returns: The arguments with the settings.
    /// - Throws: ``Failure`` for a setting that does not exist, or that has an invalid value.
    static func applied(
        to arguments: [String],
        origins: inout [String: String]
    ) throws(Failure) -> [String] {
        let command = arguments.first.flatMap { RootCommand.subcommandNames.contains($0) ? $0 : nil }
        let known = Setting.Commands(command: command ?? "url")
        guard !arguments.isEmpty, !known.isEmpty else { return arguments }
        let configuration = try Configuration()
        configuration.warn(besides: arguments)
        for (name, place) in configuration.places
        where !arguments.contains(where: { Setting.name(ofFlag: $0) == name }) {
            origins["--\(name)"] = place
        }
        let flags = configuration.flags(for: known, besides: arguments)
        guard !flags.isEmpty, !arguments.contains(where: ["-h", "--help", "--version"].contains) else {
            return arguments
        }
        // A command with subcommands is two words.
        let words = command == nil ? 0 : command == "cache" ? min(2, arguments.count) : 1
        return (command == nil ? ["url"] : Array(arguments[..<words])) + flags + arguments[words...]
    }

    /// Reads the files and the environment, in order of increasing precedence.
    private init() throws(Failure) {
        for path in Self.files { try read(path) }
        // An untrusted file must not silence the warnings about itself.
        var isSilent = values["silent"]?.isEmpty == false
        try readFolderFile()
        for setting in Setting.all {
            guard let text = unsafe getenv(setting.variable) else { continue }
            let value = unsafe String(cString: text)
            switch setting.form {
            case .flag:
                guard let isOn = Self.boolean(value) else {
                    throw Failure(
                        usage: setting.variable,
                        "\"\(value)\" is neither true nor false",
                        code: Self.code
                    )
                }
                set(setting, isOn ? [""] : [])
            // A list of values would need a separator that no value contains.
            case .value, .values: set(setting, value.isEmpty ? [] : [value])
            }
            places[setting.name] = setting.variable
            if setting.name == "silent" { isSilent = values["silent"]?.isEmpty == false }
        }
        self.isSilent = isSilent
    }

    /// Whether nothing is warned of: an own setting says so.
    private var isSilent = false

    /// The environment variables that have the settings' prefix but are unknown, sorted by name.
    private static var unknownVariables: [String] {
        var names: [String] = []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe next += 1
            guard unsafe strncmp(variable, Setting.prefix, Setting.prefix.utf8.count) == 0 else { continue }
            let name = unsafe String(cString: variable).prefix { $0 != "=" }
            let isKnown =
                Setting.otherVariables.contains(String(name)) || Setting.all.contains { $0.variable == name }
            if !isKnown { names.append(String(name)) }
        }
        return names.sorted()
    }

    /// The files and variables that contain settings.
    static func places() throws(Failure) -> [String] {
        _ = try Configuration()
        let variables = Setting.all.map(\.variable).filter { unsafe getenv($0) != nil }
        return (files + [folderFile]).filter { unsafe access($0, F_OK) == 0 } + variables
    }

    private static var code: String { "config.invalid" }

    private static var folderFile: String { ".webinspect.yml" }

    /// The user's own file.
    private static var files: [String] {
        if let home = environment("XDG_CONFIG_HOME") ?? environment("HOME").map({ "\($0)/.config" }),
            home.utf8.first == UInt8(ascii: "/")
        {
            return ["\(home)/webinspect/config.yml"]
        }
        return []
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value[0] != 0 else { return nil }
        return unsafe String(cString: value)
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "1", "true", "yes", "on": true
        case "", "0", "false", "no", "off": false
        default: nil
        }
    }

    // MARK: - Files

    private mutating func read(_ path: String) throws(Failure) {
        // Usually there is no file.
        guard unsafe access(path, F_OK) == 0 else { return }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SettingsText.source(ofFile: path)
        } catch {
            throw Failure(usage: path, error.reason, code: Self.code)
        }
        for (setting, values, place) in try Self.settings(bytes, path) {
            set(setting, values)
            places[setting.name] = place
        }
    }

    /// Reads the file of the working folder, which may be untrusted: an unpacked archive has files of its
    /// author.
    ///
    /// So only harmless settings are taken from it, as in git.
    private mutating func readFolderFile() throws(Failure) {
        let path = Self.folderFile
        // A dangling link counts as a file, too.
        guard unsafe faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SettingsText.source(ofFoundFile: path)
        } catch {
            refusals.append("\(path) cannot be read: \(error.reason)")
            return
        }
        for (setting, values, place) in try Self.settings(bytes, path) {
            if let reason = setting.refusal(ofUntrustedFile: values) {
                refusals.append("\(place): \(setting.name) \(reason)")
            } else {
                set(setting, values)
                places[setting.name] = place
            }
        }
    }

    /// Warns about variables that are not settings, and about refused settings of the working folder's file,
    /// with the file that may have them.
    private func warn(besides arguments: [String]) {
        guard !arguments.contains("-s"), !arguments.contains("--silent"), !isSilent else { return }
        for name in Self.unknownVariables {
            Output.message("webinspect: warning: \(TerminalText.visible(name)) is the variable of no setting")
        }
        let own = Self.files.first ?? "webinspect/config.yml in $XDG_CONFIG_HOME"
        for refusal in refusals {
            Output.message(
                "webinspect: warning: "
                    + TerminalText.visible(
                        "\(refusal); to apply it, put it into \(own) or on the command line"
                    )
            )
        }
    }

    /// The settings of a file, each with its position.
    private static func settings(
        _ bytes: [UInt8],
        _ path: String
    ) throws(Failure) -> [(Setting, values: [String], place: String)] {
        let entries: [SettingsText.Entry]
        do throws(RuleError) {
            entries = try SettingsText.read(bytes, file: path)
        } catch {
            let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            throw Failure(usage: path + place, error.message, code: code)
        }
        var settings: [(Setting, values: [String], place: String)] = []
        for entry in entries {
            let place = "\(path):\(entry.line):\(entry.column)"
            guard let setting = Setting.all.first(where: { $0.name == entry.name }) else {
                let names = Setting.all.map(\.name).joined(separator: ", ")
                throw Failure(
                    usage: place,
                    "\"\(entry.name)\" is not a setting; the settings are \(names)",
                    code: code
                )
            }
            settings.append((setting, try values(entry.value, of: setting, place), place))
        }
        return settings
    }

    private static func values(
        _ value: JSONValue,
        of setting: Setting,
        _ place: String
    ) throws(Failure) -> [String] {
        switch (setting.form, value) {
        case (_, .null): return []
        case (.flag, .bool(let isOn)): return isOn ? [""] : []
        case (.value, .string(let text)), (.values, .string(let text)): return [text]
        case (.value, .integer), (.value, .number):
            return [String(decoding: value.serialized(), as: UTF8.self)]
        case (.values, .array(let items)):
            var texts: [String] = []
            for item in items {
                guard case .string(let text) = item else { break }
                texts.append(text)
            }
            if texts.count == items.count { return texts }
        case (.flag, _), (.value, _), (.values, _): break
        }
        let expected =
            switch setting.form {
            case .flag: "true or false"
            case .value: "a text or a number"
            case .values: "a text or a list of texts"
            }
        throw Failure(usage: place, "\(setting.name) must be \(expected)", code: code)
    }

    /// Sets values; a later setting overrides earlier ones of its whole group.
    private mutating func set(_ setting: Setting, _ values: [String]) {
        if let group = setting.group, !values.isEmpty {
            for other in Setting.all where other.group == group { self.values[other.name] = nil }
        }
        self.values[setting.name] = values
    }

    // MARK: - Flags

    private func flags(for commands: Setting.Commands, besides arguments: [String]) -> [String] {
        var flags: [String] = []
        var groups: [String] = []
        for argument in arguments {
            guard let name = Setting.name(ofFlag: argument) else { continue }
            if let group = Setting.all.first(where: { $0.name == name })?.group { groups.append(group) }
        }
        for setting in Setting.all where !setting.commands.isDisjoint(with: commands) {
            guard let values = values[setting.name], !values.isEmpty else { continue }
            if let group = setting.group, groups.contains(group) { continue }
            for value in values {
                let flag = "--\(setting.name)"
                if setting.form == .flag {
                    flags.append(flag)
                } else if value.utf8.first == UInt8(ascii: "-") {
                    // As a separate word, the value would be parsed as a flag.
                    flags.append("\(flag)=\(value)")
                } else {
                    flags += [flag, value]
                }
            }
        }
        return flags
    }
}
