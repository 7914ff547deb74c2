import FleetModel
import Glibc
import Testing

@testable import Web

@Suite struct ListenSocketTests {
  private static let anyPort = ListenAddress.internet("127.0.0.1", port: 0)

  private static func failure(_ address: ListenAddress) -> String? {
    do throws(ListenFailure) {
      close(try ListenSocket.open(address, mode: "0660").descriptor)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a free port is told`() throws {
    let socket = try ListenSocket.open(Self.anyPort, mode: "")
    defer { close(socket.descriptor) }
    #expect(socket.address != Self.anyPort)
  }

  @Test func `an address that is taken, or is not ours, is told with what to do`() throws {
    let socket = try ListenSocket.open(Self.anyPort, mode: "")
    defer { close(socket.descriptor) }
    let taken = Self.failure(socket.address)
    #expect(taken?.hasPrefix("nothing can be served at 127.0.0.1:") == true)
    #expect(taken?.contains("another program has it") == true)
    #expect(Self.failure(.internet("192.0.2.1", port: 0))?.contains("no such address") == true)
    #expect(Self.failure(.internet("::zz", port: 0))?.contains("change http.listen") == true)
  }

  @Test func `a path is taken over from a process that is gone, with the mode that is wanted`() throws {
    let path = "/tmp/metafleet-listen-test-\(SampleFleet.unique).sock"
    let first = try ListenSocket.open(.unix(path), mode: "0600")
    #expect(Self.failure(.unix(path))?.contains("another program has it") == true)
    close(first.descriptor)
    let second = try ListenSocket.open(.unix(path), mode: "0660")
    defer { close(second.descriptor) }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
    second.remove()
    #expect(stat(path, &status) != 0)
    #expect(Self.failure(.unix("/nowhere/a.sock"))?.contains("No such file") == true)
  }
}
