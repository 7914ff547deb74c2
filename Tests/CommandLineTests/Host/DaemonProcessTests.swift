import DBus
import EventLoops
import Foundation
import Support
import Testing

@testable import metafleet

@Suite struct DaemonProcessTests {
  @Test func `a private bus takes connections, and its socket is gone afterwards`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let bus = try await PrivateBusDaemon.start(on: loop)
    let connection = try await DBusConnection.open(bus.address, on: loop)
    #expect(await connection.uniqueName.hasPrefix(":"))
    await connection.close()
    await bus.stop()
    let path = bus.address.text.dropFirst("unix:path=".count).prefix { $0 != "," }
    #expect(!FileManager.default.fileExists(atPath: String(path)))
  }

  @Test func `a broker takes a free port, and a strict one that is taken is refused`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let broker = try await MosquittoDaemon.start(port: nil, on: loop)
    #expect(!LocalPort.isFree(broker.port))
    await #expect {
      _ = try await MosquittoDaemon.start(port: broker.port, on: loop)
    } throws: {
      let failure = $0 as? CommandLineFailure
      return failure?.status == .unavailable && failure?.message.contains("--port") == true
    }
    await broker.stop()
  }

  @Test func `a broker that is stopped gives its port back`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let broker = try await MosquittoDaemon.start(port: Int(MosquittoProcess.freePort()), on: loop)
    #expect(!LocalPort.isFree(broker.port))
    await broker.stop()
    #expect(LocalPort.isFree(broker.port))
  }
}
