import Foundation
import TestSupport

// fixture-server FOLDER [SECONDS]: serves the pages of a folder on a loopback port that the system picks.
//
// Prints the port, and ends after SECONDS (60) or when standard input ends, whichever is first.

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: fixture-server FOLDER [SECONDS]\n".utf8))
    exit(2)
}
let seconds = arguments.count > 2 ? Double(arguments[2]) ?? 60 : 60
let server = try await TestServer(TestServer.files(of: URL(fileURLWithPath: arguments[1], isDirectory: true)))
FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
Thread.detachNewThread {
    // Standard input ends when whoever started the server is done with it.
    _ = FileHandle.standardInput.readDataToEndOfFile()
    exit(0)
}
try await Task.sleep(for: .seconds(seconds))
await server.stop()
