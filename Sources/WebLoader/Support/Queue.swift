/// First in, first out; both ends in constant time.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var isEmpty: Bool { start == elements.count }

    /// The one that is taken next; nil if there is none.
    var first: Element? { start < elements.count ? elements[start] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the first one; nil if there is none.
    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        // Now and then, so that the room of those taken is used again.
        if start >= 32, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    /// Calls `body` with each, first one first.
    func forEach(_ body: (Element) -> Void) {
        for case let element? in elements[start...] { body(element) }
    }
}
