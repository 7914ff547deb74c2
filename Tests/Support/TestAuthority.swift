import Foundation

/// A certificate authority of a test's own and a broker's certificate for the name `localhost`, made by openssl.
package final class TestAuthority: Sendable {
  private let directory: URL

  package init() throws {
    directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
      "authority-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let openssl = try LifelineShell(Self.script, [directory.path])
    while openssl.line() != nil {}
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  package func file(_ name: String) -> String { directory.appendingPathComponent(name).path }

  package var mosquittoOptions: MosquittoProcess.Options {
    var options = MosquittoProcess.Options()
    options.tls = (file("authority.pem"), file("broker.pem"), file("broker.key"))
    return options
  }

  private static let script = """
    exec 2> /dev/null
    cd "$1" || exit 1
    key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    openssl req -x509 $key -keyout authority.key -out authority.pem -subj "/CN=Test authority"
    for name in broker gateway; do
      openssl req $key -keyout $name.key -out $name.csr -subj "/CN=$name"
      echo "subjectAltName=DNS:localhost" > $name.ext
      openssl x509 -req -in $name.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \\
        -extfile $name.ext -out $name.pem
    done
    """
}
