import Testing

@testable import Simulator

struct RegisterPlaceTests {
  @Test(arguments: [("accelerometer", "03"), ("03", "3"), ("0x03", "0x03"), ("3", "03")])
  func `A register is said by name or as packets have it`(module: String, register: String) throws {
    #expect(try RegisterPlace.parse(module, register) == RegisterPlace(module: 3, register: 3))
  }

  @Test(arguments: [
    ("", "03"), ("003", "03"), ("0x", "03"), ("+3", "03"), ("led", ""), ("led", "40"), ("led", "-1"),
  ])
  func `What is no register is refused`(module: String, register: String) {
    #expect(throws: FaultProblem.self) { try RegisterPlace.parse(module, register) }
  }

  @Test func `Every simulated module has a name of its own`() {
    #expect(RegisterPlace.names.values.sorted() == ModuleTable.simulated.map { $0.id }.sorted())
  }
}
