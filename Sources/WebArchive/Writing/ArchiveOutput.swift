/// Where a writer puts its bytes: a closure that takes them, and is done with them when it returns.
///
/// What it makes of them, as a file that is there once it is whole, is the caller's affair.
package typealias ArchiveOutput = (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
