import WebBrowsing

/// Forms, and copies.
extension SessionCommands {
    func forms() async throws(Failure) {
        let name = try await opened { $0.url.description }
        let forms = try await loading(name) { () async throws(LoadError) in try await session.pageForms }
        var output = ""
        for (index, form) in (forms?.forms ?? []).enumerated() {
            output += "form \(index + 1)\t\(form.method.rawValue)\t\(form.action?.description ?? "")\n"
            for (number, field) in form.fields.enumerated() {
                let place = PageForms.Place(form: index, field: number)
                let parts = [field.name ?? "", field.type, Self.shown(field), forms?.label(of: place) ?? ""]
                output += "\t\(parts.map(Self.field).joined(separator: "\t"))\n"
            }
        }
        try Output.write(Array(output.utf8))
        guard forms?.isTruncated == true else { return }
        throw Failure(
            subject: name,
            "the page has more controls than are kept: some are not listed",
            code: FormError.Code.limit.rawValue,
            status: .limit
        )
    }

    /// The value of a field, as people want to see it.
    private static func shown(_ field: FormField) -> String {
        if field.type == "password" { return field.value?.isEmpty == false ? "***" : "" }
        if field.element == "select" {
            return field.options.filter(\.isSelected).map(\.value).joined(separator: ", ")
        }
        if field.type == "file" { return field.files.map(\.name).joined(separator: ", ") }
        if field.isChecked == false { return "" }
        return field.value ?? ""
    }

    func fill(_ line: SessionLine) async throws(Failure) {
        let (name, value) = try line.word()
        let page = try await opened { $0.url.description }
        let forms = try await loading(page) { () async throws(LoadError) in try await session.pageForms }
        try await changing(name) {
            if let place = try forms?.field(name), forms?[place].type == "file" {
                // The page decides which fields take files: a word that is meant for a text names none.
                guard value.isEmpty || value.utf8.contains(UInt8(ascii: "/")) else {
                    throw FormError(
                        .value,
                        "the field takes a file, whose path has a slash in it, as ./\(value.shortened)"
                    )
                }
                try await session.choose(value.isEmpty ? [] : [try file(value)], for: name)
            } else {
                try await session.fill(name, with: value)
            }
        }
    }

    func submit(_ line: SessionLine) async throws(Failure) {
        let button = try line.name()
        _ = try await opened(\.url)
        var navigation: Navigation?
        try await changing("submit") { navigation = try await session.submit(button: button) }
        if let navigation { try arrived(navigation) }
    }

    /// Does something with a form, whose errors have several types.
    private func changing(_ name: String, _ body: () async throws -> Void) async throws(Failure) {
        do {
            try await body()
        } catch let error as FormError {
            throw Failure(error, subject: name)
        } catch let error as LoadError {
            throw Failure(error, source: name)
        } catch let error as FileError {
            throw Failure(
                subject: name,
                error.reason,
                code: error.code.rawValue,
                status: ExitStatus(error.code)
            )
        } catch {
            throw Failure(subject: name, "\(error)", code: "form.value", status: .usage)
        }
    }

    /// A file that is to be sent, within the limits of a load.
    private func file(_ path: String) throws(FileError) -> FormFile {
        let limits = LoadLimits()
        let bytes = try FileReader.read(
            path: path,
            maximumSize: options.maximumFileSize ?? limits.maximumBodySize,
            within: WaitLimit(seconds: options.maximumTime ?? limits.maximumSeconds)
        )
        return FormFile(name: Directory.split(path).name, bytes: bytes)
    }

    // MARK: - Copies

    func save(_ output: String) async throws(Failure) {
        guard !output.isEmpty else { throw Failure(usage: "save", "expects a file") }
        let name = try await opened { $0.url.description }
        let wanted = try SaveArguments.options(fileNamed: output, options)
        try SaveCommand.checking(output) { () throws(ArchiveError) in try PageCopy.checkPlace(output) }
        let loadsMissing = try options.policy().mayLoad
        let copy = try await loading(name) { () async throws(LoadError) in
            try await session.copy(options: wanted, loadsMissing: loadsMissing)
        }
        guard let copy else { return }
        let summary = try SaveCommand.checking(output) { () throws(ArchiveError) in try copy.write(to: output)
        }
        SaveCommand.report(missing: copy.missing + summary.missing, copy, options)
        if isInteractive { try Output.write(SaveReport.text(copy, summary, output)) }
    }
}
