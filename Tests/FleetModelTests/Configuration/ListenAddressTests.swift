import FleetModel
import Testing

@Suite struct ListenAddressTests {
  @Test(
    arguments: [
      ("127.0.0.1:9464", .internet("127.0.0.1", port: 9_464)), ("[::1]:0", .internet("::1", port: 0)),
      ("localhost:80", .internet("127.0.0.1", port: 80)),
      ("0.0.0.0:65535", .internet("0.0.0.0", port: 65_535)),
      ("[fe80::192.168.1.1]:1", .internet("fe80::192.168.1.1", port: 1)),
      ("unix:/run/a b.sock", .unix("/run/a b.sock")),
    ] as [(String, ListenAddress)])
  func `addresses and paths are read, and written alike`(text: String, address: ListenAddress) {
    #expect(ListenAddress(text) == address)
    #expect(ListenAddress(address.description) == address)
  }

  @Test(arguments: [
    "none", "", "127.0.0.1", ":9464", "9464", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1:١",
    "256.0.0.1:1", "1.2.3:1", "host:1", "::1:1", "[::1]", "[]:1", "[host]:1", "unix:", "unix:a.sock",
    "unix:/run/",
    "unix:/\(String(repeating: "x", count: 107))", "http://127.0.0.1:1",
  ])
  func `anything else is refused`(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test func `loopback and sockets of the file system are of this computer alone`() {
    for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:/a"] {
      #expect(ListenAddress(text)?.isLocal == true, "\(text)")
    }
    for text in ["0.0.0.0:1", "[::]:1", "192.168.1.1:1"] {
      #expect(ListenAddress(text)?.isLocal == false, "\(text)")
    }
  }
}
