import FleetModel
import Testing

@testable import MetaMotion

/// Bytes of transfers, answers and checksums that do not come from our encoder.
@Suite struct BootloaderVectorTests {
  private static func vectors(_ kind: String) throws -> [VectorCase] {
    try VectorCase.cases(of: "dfu").filter { vector in
      switch kind {
      case "transfer": vector.expect["result"]?.string == "activated"
      case "failure": vector.expect["result"]?.string == "failed"
      case "answer": vector.expect["op"] != nil
      default: vector.expect[kind] != nil
      }
    }
  }

  @Test func `every vector is played`() throws {
    let counts = try ["transfer", "failure", "answer", "crc"].map { try Self.vectors($0).count }
    #expect(counts == [12, 2, 23, 3])
    #expect(try VectorCase.cases(of: "dfu").count == 40)
  }

  @Test func `whole transfers, byte for byte, on their characteristics`() throws {
    for vector in try Self.vectors("transfer") {
      let image = FirmwareImage(
        kind: try #require(
          FirmwareImage.Kind(rawValue: UInt8(vector.expect["kind"]?.integer ?? 0))),
        softDeviceSize: Int(vector.expect["soft_device"]?.integer ?? 0),
        initPacket: bytes(vector.expect["init"]?.string ?? ""),
        bytes: bytes(vector.expect["image"]?.string ?? ""))
      var transfer = BootloaderTransfer(image, window: Int(vector.expect["window"]?.integer ?? 0))
      var effects = transfer.next(.ready, at: .zero)
      var (writes, channels): ([[UInt8]], [String]) = ([], [])
      for notification in vector.inject {
        take(effects, &writes, &channels)
        channels.append("notify")
        effects = transfer.next(.received(notification), at: .zero)
      }
      take(effects, &writes, &channels)
      #expect(writes == vector.writes, "\(vector.name)")
      #expect(channels == vector.expect["channels"]?.array?.compactMap(\.string), "\(vector.name)")
      #expect(transfer.next(.linkEnded, at: .zero) == [.done], "\(vector.name)")
    }
  }

  private func take(
    _ effects: [BootloaderTransfer.Effect], _ writes: inout [[UInt8]], _ channels: inout [String]
  ) {
    for effect in effects {
      switch effect {
      case .writeControl(let bytes):
        writes.append(bytes)
        channels.append("control-point")
      case .writePacket(let bytes):
        writes.append(bytes)
        channels.append("packet")
      case .wait, .done, .aborted, .failed: break
      }
    }
  }

  @Test func `refusals end the transfer, in the words of the vendor's host`() throws {
    for vector in try Self.vectors("failure") {
      // Images as the vectors mean them: one of 384 kB that is too large, and one whose check fails.
      var transfer = BootloaderTransfer(
        TransferBench.image(of: vector.name == "start-rejected" ? 0x60000 : 20), window: 10)
      var effects = transfer.next(.ready, at: .zero)
      if vector.name == "crc-error" {
        for answer in ["100101", "100201", "100301"] {
          effects = transfer.next(.received(bytes(answer)), at: .zero)
        }
      }
      var (writes, channels): ([[UInt8]], [String]) = ([], [])
      take(effects, &writes, &channels)
      #expect(writes == vector.writes, "\(vector.name)")
      for notification in vector.inject { _ = transfer.next(.received(notification), at: .zero) }
      let request = try #require(BootloaderRequest.Code(rawValue: vector.inject[0][1]))
      guard case .failed(.refused(request, let status)) = transfer.next(.linkEnded, at: .zero).first else {
        Issue.record("\(vector.name) did not fail")
        continue
      }
      #expect(status.title == vector.expect["status"]?.string, "\(vector.name)")
    }
  }

  @Test func `answers say what they are`() throws {
    for vector in try Self.vectors("answer") {
      let answer = BootloaderAnswer(vector.inject[0])
      let number = vector.expect["bytes"]?.integer.map { UInt32(truncatingIfNeeded: $0) } ?? 0
      switch vector.expect["op"]?.string {
      case "receipt": #expect(answer == .receipt(number), "\(vector.name)")
      case "counted": #expect(answer == .counted(number), "\(vector.name)")
      default:
        guard case .response(let code, let status) = answer else {
          Issue.record("\(vector.name) is no response")
          continue
        }
        let request = UInt8(truncatingIfNeeded: vector.expect["request"]?.integer ?? 0)
        #expect(code == BootloaderRequest.Code(rawValue: request), "\(vector.name)")
        #expect(status.title == vector.expect["status"]?.string, "\(vector.name)")
      }
    }
  }
}
