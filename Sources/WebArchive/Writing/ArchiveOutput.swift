/// The output of a writer: a closure that receives the bytes, and does not use them after it returns.
///
/// The caller decides what becomes of the bytes, for example a file that appears once it is complete.
package typealias ArchiveOutput = (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
