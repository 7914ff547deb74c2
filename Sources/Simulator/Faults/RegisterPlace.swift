import FleetModel

/// A register of a module, as a script says it: `accelerometer 03`, or `03 03` as packets have it.
package struct RegisterPlace: Hashable, Sendable {
  package let module: UInt8
  package let register: UInt8

  /// The registers of a module have six bits; the other two say what is done with one (protocol reference 2.1).
  private static let last: UInt8 = 0x3F

  package init(module: UInt8, register: UInt8) {
    self.module = module
    self.register = register
  }

  /// The module by its name or in hexadecimal, the register in hexadecimal, with or without `0x`.
  package static func parse(_ module: String, _ register: String) throws(FaultProblem) -> RegisterPlace {
    guard let number = names[module] ?? hexadecimal(module) else {
      throw FaultProblem(
        Suggestion.missing("module", module, among: names.keys.sorted()) + ", or its number in hexadecimal")
    }
    guard let place = hexadecimal(register), place <= last else {
      throw FaultProblem(
        "\"\(PrintableText.escaped(register))\" is no register; one is expected in hexadecimal from 00 to 3f")
    }
    return RegisterPlace(module: number, register: place)
  }

  /// Modules by the names that people know them by.
  static let names = Dictionary(
    ModuleTable.simulated.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })

  /// What people call a module; its number in hexadecimal where it has no name.
  package static func name(of module: UInt8) -> String {
    ModuleTable.simulated.first { $0.id == module }?.name ?? "0x" + String(module, radix: 16)
  }

  private static func hexadecimal(_ text: String) -> UInt8? {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    guard (1...2).contains(digits.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt8(digits, radix: 16)
  }
}
