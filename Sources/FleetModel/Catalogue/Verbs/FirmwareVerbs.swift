/// `bootloader` and `firmware-…` (MQTT contract 3.10).
enum FirmwareVerbs {
  static let bootloader = VerbDefinition(
    "bootloader", .board, "Puts the board into its bootloader, until new firmware or a reset.",
    [VerbDefinition.confirmation()],
    checked: { (_: JSONObject) throws(CommandFailure) in .board(.firmware(.bootloader)) }
  )
  .answering(
    [Parameter("bootloader_version", .text(1...16), "version of the bootloader")], by: [.response],
    failing: [.unsupported, .busy, .boardError], example: ["confirm": "e5a1c2d3f4b6"]
  )

  static let check = VerbDefinition(
    "firmware-check", .board, "Reports which firmware the board has, and which is available.",
    [
      Parameter("refresh", .boolean, standard: false, "whether to check again, however recent the last check")
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .board(.firmware(.check(refresh: arguments["refresh"]?.bool ?? false)))
    }
  )
  .answering(
    furtherResults: "the keys of the document firmware", failing: [.unsupported, .unreachable], example: [:])

  static let update = VerbDefinition(
    "firmware-update", .board, "Updates the board's firmware (DFU).",
    [
      VerbDefinition.confirmation(),
      Parameter("version", .text(1...16), standard: "latest", "a version such as 1.7.3, or latest"),
      Parameter("force", .boolean, standard: false, "whether the same or an older version is installed, too"),
      Parameter("file", .text(1...128), "name of a file in the gateway's firmware directory"),
      Parameter(
        "allow_bootloader", .boolean, standard: false,
        "whether the bootloader is replaced where the firmware needs a newer one"),
      Parameter(
        "discard", .integer(0...4_294_967_295),
        "number of log entries that may be lost, for who cannot download them"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .board(
        .firmware(
          .update(
            FirmwareOrder(
              version: try version(arguments["version"]?.string),
              isForced: arguments["force"]?.bool ?? false, file: try file(arguments["file"]?.string),
              allowsBootloader: arguments["allow_bootloader"]?.bool ?? false,
              discard: arguments["discard"]?.integer))))
    }
  )
  .answering(
    [
      Parameter("from", .text(1...16), required: true, "version before"),
      Parameter("to", .text(1...16), required: true, "version now"),
      Parameter("seconds", .count, required: true, "how long it took"),
      Parameter("attempts", .count, required: true, "transfers of the firmware that were begun"),
      Parameter("bootloader_version", .text(1...16), "version of the bootloader"),
    ], by: [.readback], failing: [.lowBattery, .undownloadedData, .unsupported, .unreachable, .boardError],
    example: ["confirm": "e5a1c2d3f4b6", "version": "latest"]
  )

  static let abort = VerbDefinition(
    "firmware-abort", .board,
    "Aborts a firmware update before anything of it was sent; behind that, it would leave the board without firmware.",
    [],
    checked: { (_: JSONObject) throws(CommandFailure) in .board(.firmware(.abort)) }
  )
  .answering(
    [Parameter("aborted", .boolean, required: true, "whether an update was running")], by: [.response],
    failing: [.unsupported, .busy], example: [:]
  )

  /// Numbers and dots; nil for the latest.
  static func version(_ text: String?) throws(CommandFailure) -> String? {
    guard let text, text != "latest" else { return nil }
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    let isVersion = numbers.allSatisfy { number in
      (1...5).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isVersion, numbers.count > 1 else { throw .invalid("version must be latest, or like 1.7.3") }
    return text
  }

  /// A name and no path, so that no request reaches a file elsewhere.
  private static func file(_ name: String?) throws(CommandFailure) -> String? {
    guard let name else { return nil }
    guard name.first != ".", !name.contains("/"), name.unicodeScalars.allSatisfy(PrintableText.isPrintable)
    else { throw .invalid("file must be the name of a file in the firmware directory, without a path") }
    return name
  }
}
