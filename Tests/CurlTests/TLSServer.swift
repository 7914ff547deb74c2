import Foundation
import Support

/// A server of https on loopback, by openssl: it answers with the files that it was given, headers included.
final class TLSServer: Sendable {
  let port: String
  private let directory: URL
  private let shell: LifelineShell

  /// `answers` by the name of the file, in the address behind the port.
  init(_ authority: TestAuthority, _ answers: (_ port: String) -> [String: String]) throws {
    directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
      "server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    shell = try LifelineShell(
      Self.script, [directory.path, authority.file("broker.pem"), authority.file("broker.key")])
    // "ACCEPT 127.0.0.1:40123"
    var found: Substring?
    while found == nil, let line = shell.line() {
      if line.hasPrefix("ACCEPT") { found = line.split(separator: ":").last }
    }
    port = String(found ?? "")
    for (name, text) in answers(port) {
      try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    }
  }

  deinit {
    shell.end()
    try? FileManager.default.removeItem(at: directory)
  }

  func address(_ file: String, host: String = "localhost") -> String { "https://\(host):\(port)/\(file)" }

  /// Whoever starts it ends it by the end of its input.
  private static let script = """
    cd "$1" || exit 1
    openssl s_server -accept 127.0.0.1:0 -cert "$2" -key "$3" -HTTP < /dev/null 2> /dev/null &
    server=$!
    read -r line
    kill $server
    wait
    """
}
