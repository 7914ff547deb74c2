import BoardKit
import EventLoops
import FleetModel
import Foundation
import Support
import Testing

@testable import Simulator

/// The laboratory's side of the socket, played with bytes.
@Suite struct LabSocketTests {
  private static let command = "326a900185cb9195d9dd464cfbbae75a"
  private static let notification = "326a900685cb9195d9dd464cfbbae75a"
  private static let control = "000015311212efde1523785feabcd123"
  /// Its battery is as low as it gets, so that it has no news of it, however long a test takes.
  private static let board: any SimulatedBoard = {
    var board = SimulatedFleet.Plan(boards: 1).makeBoards()[0]
    _ = board.apply(.battery(percent: 1), at: .zero)
    return board
  }()
  private static let hello = "0000000b 01 01 0000 c0ffee000001 4d"

  /// Plays `body` on a connection of the laboratory.
  private func with(
    _ board: any SimulatedBoard = Self.board, _ body: (LabSocket, UnixClient) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "lab")
    defer { loop.stop() }
    let path = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID())").path
    let socket = try await LabSocket.start(boards: [board], at: path, loop: loop)
    let client = try UnixClient(path)
    try await body(socket, client)
    client.close()
    await socket.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a board says hello by advertising, and an unknown board keeps silent`() async throws {
    try await with { _, client in
      client.send(Self.hello)
      #expect(client.receive() == "8401")
    }
    try await with { _, client in
      client.send("0000000b 01 01 0008 c0ffee000009 4d")
      #expect(client.receive() == "8400")
    }
  }

  @Test func `a connected board is read, written and heard`() async throws {
    try await with { _, client in
      client.send(Self.hello)
      #expect(client.receive() == "8401")
      client.send("00000007 02 112233445566")
      #expect(client.receive() == "8400")
      // Model number of a MetaMotion S; the laboratory's own attributes; one that may not be read.
      client.send("00000015 05 00000001 00002a2400001000800000805f9b34fb")
      #expect(client.receive() == "820000000100" + Array(BoardModel.s.modelNumber.utf8).hexadecimal)
      client.send("00000015 05 00000002 00002a0100001000800000805f9b34fb")
      #expect(client.receive() == "8200000002ff")
      client.send("00000014 04 \(Self.command) 00 0180")
      #expect(client.receive().hasPrefix("81\(Self.notification)0180"))
      client.send("00000002 03 08")
      #expect(client.receive() == "8401")
    }
  }

  @Test func `a board that walks away drops its link and is not heard until it is back`() async throws {
    try await with { socket, client in
      client.send(Self.hello)
      #expect(client.receive() == "8401")
      client.send("00000007 02 112233445566")
      #expect(client.receive() == "8400")
      await socket.setInRange(false, BoardID(Self.board.address))
      #expect(client.receive() == "8308")
      await socket.apply(.battery(percent: 50), BoardID(Self.board.address))
      client.send("00000002 03 08")
      await socket.setInRange(true, BoardID(Self.board.address))
      #expect(client.receive() == "8401")
    }
  }

  @Test func `a board that jumps into its bootloader is told as something else, and answers as such`()
    async throws
  {
    var traits = BootloaderTraits()
    (traits.starting, traits.link.interval) = (.milliseconds(10), .zero)
    let board = MetaMotionBoard(
      Firmware(model: .s, identity: BoardIdentity(number: 1), seed: 1), bootloader: traits)
    try await with(board) { _, client in
      client.send(Self.hello)
      #expect(client.receive() == "8401")
      client.send("00000007 02 112233445566")
      #expect(client.receive() == "8400")
      client.send("00000014 04 \(Self.command) 00 fe02")
      #expect(client.receive() == "8313")
      client.send("00000002 03 13")
      #expect(client.receive().hasPrefix("85c0ffee0000010017084d657461426f6f7402"))
      #expect(client.receive() == "8401")
      client.send("00000007 02 112233445566")
      #expect(client.receive() == "8400")
      client.send("00000012 06 \(Self.control) 01")
      client.send("00000013 04 \(Self.control) 01 07")
      #expect(client.receive() == "81\(Self.control)10070100000000")
    }
  }

  @Test func `nonsense ends the connection`() async throws {
    try await with { _, client in
      client.send("ffffffff")
      #expect(client.receive() == "")
    }
  }
}
