public import WebLoader

/// A delegate that is notified of a session's navigations and may refuse them.
///
/// A navigation that loads a page calls in this order: `shouldNavigate`; the methods of `PageLoadDelegate` for the
/// page, up to `didFinish`, `didFail` or `didCancel`; `didCommit`, once the page is in the history. A navigation to a
/// stored page, or to another part of the same page, calls `shouldNavigate` and `didCommit` only. All methods have a
/// default that does nothing (and allows everything).
public protocol PageSessionDelegate: PageLoadDelegate {
    /// Whether the session may go to a page; with false everything stays as it is, and the navigation fails with
    /// "load.refused".
    func shouldNavigate(to request: WebRequest, by kind: Navigation.Kind) async -> Bool
    /// Called when the page of an entry has come into view.
    func didCommit(_ navigation: Navigation) async
    /// Called when the process that evaluated rules on the page has ended because it used up its budget or died.
    func didEndWorker(_ end: WorkerTermination) async
}

extension PageSessionDelegate {
    /// Allows every navigation.
    public func shouldNavigate(to request: WebRequest, by kind: Navigation.Kind) async -> Bool { true }
    /// Does nothing.
    public func didCommit(_ navigation: Navigation) async {}
    /// Does nothing.
    public func didEndWorker(_ end: WorkerTermination) async {}
}

/// The reason for which a process that evaluated rules has ended.
public struct WorkerTermination: Hashable, Sendable {
    /// A stable identifier, such as "budget.time" or "worker.crash".
    public let code: String
    /// The reason in words.
    public let message: String
}

/// The result of a navigation.
public struct Navigation: Sendable {
    /// The kind of a navigation.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// By a URL, a string or bytes.
        case load
        /// By a link.
        case link
        /// By a form.
        case form
        /// To another part of the page that was in view.
        case fragment
        /// To an entry of the history.
        case history
        /// To the same page once more.
        case reload
    }

    /// The kind of this navigation.
    public let kind: Kind

    /// The entry that is now in view.
    public let entry: HistoryEntry

    /// The page.
    public let page: Page

    /// Its images and style sheets; nil unless ``PageSession/Configuration/loadsResources`` is set and the page was loaded.
    public let resources: PageResources?
}

/// An event of a session; a later version may have more cases, so a `switch` needs a `default`.
public enum PageSessionEvent: Sendable {
    /// A page is being loaded.
    case started(WebRequest)
    /// A response redirected the load to another request.
    case redirected(to: WebRequest)
    /// A page is in view.
    case committed(Navigation)
    /// A load failed or was cancelled; the history is as it was.
    case failed(LoadError)
    /// The process that evaluated rules on the page was ended.
    case workerEnded(WorkerTermination)
}
