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

  package var mosquittoOptions: MosquittoProcess.Options { mosquittoOptions(showing: "broker.pem") }

  /// The same of a broker with another certificate, such as `broker-expired.pem` or `broker-early.pem`.
  package func mosquittoOptions(showing certificate: String) -> MosquittoProcess.Options {
    var options = MosquittoProcess.Options()
    options.tls = (file("authority.pem"), file(certificate), file("broker.key"))
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
    mkdir newcerts
    : > index.txt
    printf '%s\\n' '[ca]' default_ca=d '[d]' new_certs_dir=newcerts database=index.txt rand_serial=yes \\
      default_md=sha256 unique_subject=no policy=p '[p]' commonName=supplied > ca.cnf
    for name in broker gateway; do
      openssl ca -batch -config ca.cnf -cert authority.pem -keyfile authority.key -in $name.csr -extfile $name.ext \\
        -startdate 20200101000000Z -enddate 20200201000000Z -notext -out $name-expired.pem
      openssl ca -batch -config ca.cnf -cert authority.pem -keyfile authority.key -in $name.csr -extfile $name.ext \\
        -startdate 22000101000000Z -enddate 22000201000000Z -notext -out $name-early.pem
    done
    # Another authority of the same name.
    openssl req -x509 $key -keyout again.key -out again.pem -subj "/CN=Test authority"
    """
}
