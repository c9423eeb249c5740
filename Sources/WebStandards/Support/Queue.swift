/// A first-in, first-out queue with both operations in (amortized) constant time.
package struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    package init() {}

    package var isEmpty: Bool { start == elements.count }

    /// The next element; nil if there is none.
    package var first: Element? { start < elements.count ? elements[start] : nil }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Removes and returns the first element; nil if there is none.
    package mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        // Occasionally frees the space of removed elements.
        if start >= 32, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    /// Calls `body` with each element in order.
    package func forEach(_ body: (Element) -> Void) {
        for case let element? in elements[start...] { body(element) }
    }
}
