import HTTPTypes
import WebArchive

extension ArchivedExchange {
    /// Creates the exchange that a response came from, as far as the response records it.
    ///
    /// - Parameters:
    ///   - response: The response, whose body has no content coding any more.
    ///   - received: When it was received.
    package init(_ response: WebResponse, received: Timestamp) {
        self.init(url: response.url, date: received, status: response.status?.code ?? 200)
        if let status = response.status { reason = status.reasonPhrase }
        responseFields = response.headerFields.map { field in
            let name = field.name.rawName
            // The coding is undone: the field stays under the name that says so.
            let isCoding = field.name == .contentEncoding
            return (isCoding ? MessageHead.originalPrefix + name : name, Array(field.value.utf8))
        }
        body = .bytes(response.body)
    }
}
