/// The attributes of the tag that is being read.
@safe struct HTMLAttributeBuffer: ~Copyable {
    private var storage: UnsafeMutablePointer<HTMLAttribute>
    private var capacity = 32
    private let limit: Int
    private(set) var count = 0

    /// How many attributes were left out because their tag had too many.
    private(set) var dropped = 0

    init(limit: Int) {
        unsafe storage = UnsafeMutablePointer.allocate(capacity: 32)
        self.limit = limit
    }

    deinit {
        unsafe storage.deallocate()
    }

    @inline(__always)
    var pointer: UnsafePointer<HTMLAttribute> {
        unsafe UnsafePointer(storage)
    }

    @inline(__always)
    mutating func reset() {
        count = 0
    }

    @inline(__always)
    mutating func append(_ attribute: HTMLAttribute) {
        if count == capacity || count >= limit {
            guard makeRoom() else { return }
        }
        unsafe storage[count] = attribute
        count += 1
    }

    @inline(never)
    private mutating func makeRoom() -> Bool {
        guard count < limit else {
            dropped += 1
            return false
        }
        let new = UnsafeMutablePointer<HTMLAttribute>.allocate(capacity: capacity * 2)
        unsafe new.initialize(from: storage, count: count)
        unsafe storage.deallocate()
        unsafe storage = new
        capacity *= 2
        return true
    }
}
