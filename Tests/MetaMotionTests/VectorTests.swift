import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Every case of our areas, byte for byte; what is left out or differs is listed and counted.
@Suite(.timeLimit(.minutes(20)))
struct VectorTests {
  private static let cases = Result { try VectorCase.all() }
  private static let conversations = [
    "meta-wear-board-initialize-reinitialize", "meta-wear-board-init-error-timeout",
  ]

  private static func played() -> [VectorCase] {
    ((try? cases.get()) ?? []).filter {
      VectorsLeft.reasons[$0.name] == nil && !conversations.contains($0.name)
    }
  }

  @Test func `every case is played or listed`() throws {
    let all = try Self.cases.get()
    for (area, count) in VectorCase.areas { #expect(all.count { $0.area == area } == count, "\(area)") }
    #expect(Self.played().count + Self.conversations.count + VectorsLeft.reasons.count == all.count)
    #expect(VectorsLeft.reasons.count == 1)
    #expect(Divergence.all.count == 5)
    let names = Set(all.map(\.name))
    #expect(Set(all.map { "\($0.area) \($0.name)" }).count == all.count)
    #expect(names.isSuperset(of: VectorsLeft.reasons.keys))
    #expect(names.isSuperset(of: Divergence.all.map(\.name)))
    #expect(names.isSuperset(of: Self.conversations))
  }

  @Test(arguments: played())
  func `plays`(_ vector: VectorCase) throws {
    if vector.name.hasPrefix("module-info") { return try playModuleInfo(vector) }
    var player = try VectorPlayer(vector)
    for phrase in vector.phrases { try player.perform(phrase) }
    #expect(player.stage.writes == Divergence.of(vector.name)?.writes ?? vector.writes)
    let heard = try vector.inject.flatMap { try player.hear($0) }
    for (key, expected) in vector.expect.members {
      switch key {
      case "values": compare(heard, expected.array ?? [])
      case "payloads", "entries": #expect(heard.compactMap(\.value) == expected.array)
      case "mac", "name", "value", "scan_response", "entries_left":
        #expect(heard.first?.value?.agrees(with: expected) == true)
      case "notify_status": #expect(heard.map { $0 == .unwanted } == expected.array?.map { _ in true })
      case "note", "time_note", "truncated", "write_with_response": break
      default:
        let found = player.stage.findings[key] ?? heard.first?.value?.object?[key]
        #expect(found?.agrees(with: expected) == true, "\(key)")
      }
    }
  }

  private func compare(_ heard: [Heard], _ expected: [JSONValue]) {
    #expect(heard.count == expected.count)
    for (part, value) in zip(heard, expected) {
      #expect(part.value?.agrees(with: value.object?["value"]) == true, "\(part)")
    }
  }

  private func playModuleInfo(_ vector: VectorCase) throws {
    let info = try #require(ModuleInfo.decode(vector.inject[0]))
    #expect(info.id == UInt8(vector.expect["module"]?.integer ?? -1))
    #expect(info.isPresent == vector.expect["present"]?.bool)
    #expect(info.implementation.map(Int64.init) == vector.expect["implementation"]?.integer)
    #expect(info.revision.map(Int64.init) == vector.expect["revision"]?.integer)
    #expect(info.extra.hex == vector.expect["extra"]?.string)
  }

  @Test func `the vendors initialisation byte for byte`() async throws {
    let vector = try named("meta-wear-board-initialize-reinitialize")
    let session = await DriverSession(board(of: vector))
    async let first = session.interview(remembering: nil)
    for (write, reply) in zip(vector.writes, vector.inject).dropLast() {
      try await session.link.expect(write, answer: reply)
    }
    let memory = try await first.get().memory
    async let second = session.interview(remembering: memory)
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    _ = try await second.get()
    let withResponse = await session.link.written.indices(where: { $0.kind == .request })
    #expect(withResponse == RangeSet(12..<13, within: 0..<23))
    #expect(vector.expect["write_with_response"] == [12])
  }

  @Test func `a module that never answers ends the initialisation`() async throws {
    let vector = try named("meta-wear-board-init-error-timeout")
    let session = await DriverSession(board(of: vector))
    async let interview = session.interview(remembering: nil)
    for (write, reply) in zip(vector.writes, vector.inject) {
      try await session.link.expect(write, answer: reply)
    }
    try await session.link.expect(bytes("0480"))
    await session.advance(by: .seconds(5))
    try await session.link.expect(bytes("0480"))
    await session.advance(by: .seconds(5))
    let silence = ProtocolFailure.silent(question: "temperature register 00", after: .seconds(5))
    #expect(await interview.failure == silence)
    #expect(await session.link.written.map(\.value) == Divergence.of(vector.name)?.writes)
  }

  private func named(_ name: String) throws -> VectorCase {
    try #require(try Self.cases.get().first { $0.name == name })
  }

  private func board(of vector: VectorCase) -> TestBoard {
    TestBoard(modelNumber: vector.model, firmware: vector.firmware, replies: vector.replies)
  }
}

extension Heard {
  fileprivate var value: JSONValue? {
    if case .value(let value) = self { value } else { nil }
  }
}

extension JSONValue {
  /// Whether everything that is expected is here. The vectors hold single-precision numbers.
  fileprivate func agrees(with expected: JSONValue?) -> Bool {
    if let number, let wanted = expected?.number { return abs(number - wanted) <= abs(wanted) * 1e-6 }
    if let object, let wanted = expected?.object {
      return wanted.members.allSatisfy { object[$0.key]?.agrees(with: $0.value) == true }
    }
    if let array, let wanted = expected?.array {
      return array.count == wanted.count && zip(array, wanted).allSatisfy { $0.agrees(with: $1) }
    }
    return self == expected
  }
}
