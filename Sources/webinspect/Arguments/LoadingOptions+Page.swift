import WebLoader

extension LoadingOptions {
    /// Starts the time limit of a command with one source.
    func startClock(_ source: String) {
        let scheme = source.prefix { $0 != ":" }.lowercased()
        TimeBudget.begin(
            command: maximumTime ?? LoadLimits().maximumSeconds ?? .infinity,
            source: Source.redacted(source),
            isRemote: scheme == "http" || scheme == "https",
            writesJSON: json
        )
    }

    /// Loads the page that a command's source names.
    func load(_ name: String, with loader: PageLoader) async throws(Failure) -> Page {
        if archives.isEmpty { try SourceMistake.check(archive: name) }
        let overrides = try overrides()
        var request: WebRequest?
        if case .url(let url) = try Source(name, self) { request = try self.request(for: url) }
        return try await fetched(name, with: loader) { () async throws(LoadError) in
            guard let request else { return try await loader.loadStandardInput(overriding: overrides) }
            return try await loader.load(request, overriding: overrides)
        }
    }

    /// Runs a load of a source, and saves the cookies even if it fails.
    func fetched<Value>(
        _ name: String,
        with loader: PageLoader,
        _ body: () async throws(LoadError) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do throws(LoadError) {
            result = .success(try await body())
            TimeBudget.noteArrival()
        } catch {
            result = .failure(Failure(error, source: name))
        }
        try connection.save(loader.configuration.cookieJar)
        if let record, let writer = loader.configuration.archiveWriter {
            do throws(ArchiveError) {
                try await writer.finish()
            } catch {
                throw Failure(error, archive: record)
            }
        }
        return try result.get()
    }
}

extension Page {
    /// The page taken apart, for a command whose source has this name.
    func parsed(for source: String) async throws(Failure) -> ParsedPage {
        do throws(ParsingError) {
            return try await parsed()
        } catch {
            throw Failure(error, source: source)
        }
    }
}
