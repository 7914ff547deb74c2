import FleetModel
import MetaMotion

/// Builds of firmware as they are listed, and what came of copying them.
enum FirmwareTable {
  static func table(of builds: [FirmwareBuild]) -> Table {
    var table = Table([
      .init("HARDWARE"), .init("MODEL"), .init("FLAVOUR", rank: 1), .init("VERSION"),
      .init("NEEDS BOOTLOADER", rank: 2),
    ])
    table.rows = builds.map { build in
      let target = build.target
      return [
        target.hardware, target.model, target.flavour, build.version.text,
        build.requiredBootloader?.text ?? "–",
      ]
      .map { Table.Cell(printable($0)) }
    }
    return table
  }

  static func object(of build: FirmwareBuild) -> JSONObject {
    var object: JSONObject = [
      "hardware": .string(build.target.hardware), "model": .string(build.target.model),
      "flavour": .string(build.target.flavour), "version": .string(build.version.text),
      "file": .string(build.path),
    ]
    object["required_bootloader"] = build.requiredBootloader.map { .string($0.text) }
    return object
  }

  /// Prints the outcome; a failure where there are problems.
  static func report(_ outcome: FirmwareMirror.Outcome, asJSON: Bool) throws {
    if asJSON {
      try Console.line(
        JSONText.of(
          .object([
            "added": .integer(Int64(outcome.added)), "same": .integer(Int64(outcome.same)),
            "problems": .array(outcome.problems.map { .string($0) }),
          ])))
    } else {
      for problem in outcome.problems { try Console.line(printable(problem)) }
      Console.note(
        "\(outcome.added) new, \(outcome.same) as before, \(CountText.of(outcome.problems.count, "problem"))")
    }
    if !outcome.problems.isEmpty { throw CommandLineFailure(.no, "") }
  }
}
