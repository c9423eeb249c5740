import WebLoader
public import WebSite

/// Saving a session, for another process to restore.
extension PageSession {
    /// The session as JSON, from which ``init(configuration:interactionState:)`` restores it, in another process too.
    ///
    /// It contains the history and the cookies, also those of the session, so treat it as a secret. Pages are in
    /// ``Configuration/pagesDirectory``.
    ///
    /// An object with `version` (1), `current`, `entries` and `cookies`.
    ///
    /// - Complexity: O(n) in the entries and cookies; about 250 bytes an entry and two times its URL.
    public var interactionState: [UInt8] {
        var state = SessionState()
        state.entries = history.entries
        state.currentIndex = history.currentIndex
        state.cookies = cookieJar.cookies.filter { !$0.hasEnded(by: .now) }
        return state.bytes
    }

    /// Writes ``interactionState`` to ``Configuration/stateFile``, if there is one and the state has changed, and
    /// removes the pages that no entry has any more from ``Configuration/pagesDirectory``.
    ///
    /// A caller that stores ``interactionState`` in another way calls this once that is done.
    ///
    /// The file is replaced atomically: whenever the process dies, the state that was saved last exists.
    ///
    /// - Throws: `StateError`, "file.write" if it cannot be written; the state that was saved before still exists.
    public func saveState() async throws(StateError) {
        // One after the other, so that the state of the last call is written last.
        while let before = writing { _ = await before.value }
        let task = Task {
            let result: Result<Void, StateError>
            do throws(StateError) {
                result = .success(try await self.saveStateNow())
            } catch {
                result = .failure(error)
            }
            self.writing = nil
            return result
        }
        writing = task
        try await task.value.get()
    }

    private func saveStateNow() async throws(StateError) {
        // The file may name pages that become unused while it is written.
        let keys = unusedPages
        if let file = configuration.stateFile { try await write(file) }
        unusedPages.subtract(keys)
        await configuration.loader.blockingWork.run { [kept] in kept.remove(keys) }
    }

    private func write(_ file: String) async throws(StateError) {
        let bytes = interactionState
        // A session without history and cookies has nothing to save.
        let isNew = writtenState == nil && history.entries.isEmpty && cookieJar.cookies.isEmpty
        guard bytes != writtenState, !isNew else { return }
        guard bytes.count <= SessionState.maximumSize else {
            throw StateError(
                .unwritable,
                "\(file): the session's state would have \(bytes.count) bytes, more than the \(SessionState.maximumSize) that are read"
            )
        }
        let (folder, name) = Directory.split(file)
        do throws(File.Failure) {
            try await configuration.loader.blockingWork.run { () throws(File.Failure) in
                try Directory(folder).replace(own: name, with: bytes)
            }
        } catch {
            throw StateError(.unwritable, "\(file): \(error.text)")
        }
        writtenState = bytes
    }
}
