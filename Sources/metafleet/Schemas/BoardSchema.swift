import FleetModel

/// JSON Schemas of the retained documents of boards, but for `state` (MQTT contract 1.1, 1.2, 1.4, 1.5 and 1.7).
enum BoardSchema {
  static let info: JSONObject = SchemaKey.document(
    "Identity of a board",
    [
      .always("v", .other(["const": 1]), "version of this form"),
      .always("ts_ms", .time, "when this content last changed"),
      .always("board", .address, "the board"), .always("gw", .text, "the gateway that publishes it"),
      .always(
        "address", .other(["type": "string", "pattern": "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$"]), "with colons"),
      .always("family", .text, "of boards"),
      .always("name", .text, "as configured, else as advertised, else the address"),
      .known("site", .text, "from the file"), .known("profile", .text, "from the file, or of the admission"),
      .always("groups", .texts, "without `all`"),
      .always(
        "labels", .other(["type": "object", "additionalProperties": ["type": "string"]]), "from the file"),
      .always("verbs", .texts, "which this board accepts now"),
      .known("model", .text, "this and all below: after the first interview"),
      .known("model_id", .text, "the number that the board says"),
      .known("manufacturer", .text, "in its words"),
      .known("serial", .text, "serial number"), .known("hw", .text, "hardware revision"),
      .known("fw", .text, "firmware revision"), .known("imu", .text, "bmi160 or bmi270"),
      .known("modules", .other(map(of: module)), "what it is made of, by name"),
      .known("slots", .other(counts), "how many of each kind it has"),
      .known("streams", .other(map(of: stream)), "what it can produce, by name"),
      .known("hardware_listed", .truth, "whether the index of firmware lists its hardware"),
      .known("interviewed_ms", .time, "last complete interview"),
      .known("truncated", .other(["const": true]), "parts were left out: the broker takes small packets"),
    ])

  private static let module: JSONObject = SchemaKey.object([
    .always("id", .count, "number"), .always("present", .truth, "whether the board has it"),
    .known("implementation", .count, "which chip or form"), .known("revision", .count, "of its registers"),
    .known("extra", .other(["type": "string", "pattern": "^([0-9a-f]{2})*$"]), "further bytes"),
  ])

  private static let stream: JSONObject = SchemaKey.object([
    .always("fields", .other(["type": "array", "items": .object(field)]), "in the order of samples"),
    .always("via", .words(["stream", "event"]), "samples on the lanes, or events"),
    .always("streamable", .truth, "can be streamed or polled"), .always("loggable", .truth, "can be logged"),
    .always("readable", .truth, "can be read on demand"), .always("modules", .texts, "where it comes from"),
    .known("components", .texts, "suffixes of its streams of one field"),
    .known("entries", .count, "entries in the board's log per sample"),
    .known("offers", .other(["type": "object"]), "values that its keys can have on this board"),
  ])

  private static let field: JSONObject = SchemaKey.object([
    .always("name", .text, "key in samples"), .always("unit", .text, "empty where it has none"),
    .always("type", .words(["number", "integer", "flag"]), "kind of number"),
  ])

  private static let counts: JSONObject = [
    "type": "object", "additionalProperties": ["type": "integer", "minimum": 0],
  ]

  private static func map(of schema: JSONObject) -> JSONObject {
    ["type": "object", "additionalProperties": .object(schema)]
  }

  static let availability: JSONObject = SchemaKey.document(
    "Availability of a board",
    [
      .always("state", .words(["online", "offline", "unknown"]), "whether it can be counted on"),
      .always("reason", .words(of: Availability.Reason.self), "each belongs to one state"),
      .always("since_ms", .time, "since when both are so"), .always("gw", .text, "the gateway that says so"),
    ],
    Availability.Reason.allCases.map {
      SchemaRule.when(
        "reason", is: .string($0.rawValue), ["properties": ["state": ["const": .string($0.state.rawValue)]]])
    })

  static let configuration: JSONObject = SchemaKey.document(
    "Setup of a board",
    [
      .always("ts_ms", .time, "when this content last changed"),
      .always("board", .address, "the board"), .always("profile", .text, "empty where it has none"),
      .always("desired", .other(["type": "object"]), "what it is meant to run, every default filled in"),
      .always("reported", .other(["type": "object"]), "what it runs, as far as is known"),
      .always("desired_hash", .other(hash), "of `desired`"),
      .always("reported_hash", .other(hash), "equal to `desired_hash` where they are the same"),
      .always("in_sync", .truth, "whether nothing is to be done"),
      .always("differences", .texts, "at most 20, in words"),
      .always("overlay", .texts, "what verbs have changed"),
      .always("foreign", .texts, "resources on the board that are not ours"),
      .always("slots_used", .other(counts), "by kind"),
      .known("applied_ms", .time, "when it was last written"),
      .known("error", .text, "why it could not be applied, in a sentence"),
      .known("reason_code", .other(StateSchema.reasonCode), "the same for programs"),
      .known("truncated", .other(["const": true]), "parts were left out, for they are too large"),
    ], SchemaRule.together("error", "reason_code"))

  private static let hash: JSONObject = ["type": "string", "pattern": "^[0-9a-f]{16}$"]

  static let firmware: JSONObject = SchemaKey.document(
    "Firmware of a board",
    [
      .always("ts_ms", .time, "when this was found"), .always("board", .address, "the board"),
      .always("title", .text, "what is updated"), .known("installed_version", .text, "on the board"),
      .known("latest_version", .text, "newest that fits; absent where nothing can be said"),
      .always("in_progress", .truth, "whether the board is being updated right now"),
      .always(
        "stage", .words(FirmwareReport.Progress.Stage.allCases.map(\.rawValue)),
        "what of an update is done; `failed`: how the last one ended"),
      .known("update_percentage", .number, "of the image that is sent"),
      .known("eta_ms", .time, "when that will be over"),
      .known("attempt", .count, "transfers that were begun"),
      .known("image_sha256", .text, "of the package that is installed"),
      .known("bootloader_version", .text, "as the bootloader said it last"),
      .known("checked_ms", .time, "last check"),
      .known("check_ok", .truth, "whether that one brought an index"),
      .known("index", .text, "where the index of releases in use is from"),
      .known("index_ms", .time, "when that was fetched"),
      .known("hardware_revision", .text, "as the index writes it"),
      .known("hardware_listed", .truth, "whether the index lists this model and hardware"),
      .known("build", .text, "`vanilla`, or the number of a build made to order"),
      .known("last_error", .text, "why an update failed, why nothing can be said, or what stands in the way"),
    ])

  static let led: JSONObject = SchemaKey.document(
    "LED of a board",
    [
      .always("state", .words(["ON", "OFF"]), "whether something was set"),
      .always("ts_ms", .time, "since when"), .known("color_mode", .words(["rgb"]), "when on"),
      .known("color", .other(color), "when on; the largest is 255 unless it is dark"),
      .known("brightness", .other(byte), "when on"),
      .known("effect", .text, "when on: the pattern, or `custom`"),
      .known("until_ms", .time, "when it ends by itself"),
    ],
    [
      SchemaRule.when(
        "state", is: "ON", ["required": ["color_mode", "color", "brightness", "effect"]])
    ])

  private static let byte: JSONObject = ["type": "integer", "minimum": 0, "maximum": 255]
  private static let color: JSONObject = SchemaKey.object([
    .always("r", .other(byte), "red"), .always("g", .other(byte), "green"),
    .always("b", .other(byte), "blue"),
  ])
}
