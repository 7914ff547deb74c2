extension ChainStepDefinition {
  private static let anyNumber = ParameterType.number(-4_294_967_295...4_294_967_295)

  /// All types, in the order of the contract.
  public static let all: [ChainStepDefinition] = [
    ChainStepDefinition(
      "passthrough", "Passes samples.",
      [
        Parameter("count", .integer(0...65_535), standard: 0, "how many, or whether"),
        Parameter("mode", .choice(["all", "conditional", "count"]), standard: "all", "which"),
      ]),
    ChainStepDefinition(
      "accumulator", "Adds samples up.", [Parameter("size", .integer(1...4), standard: 4, "bytes of the sum")]
    ),
    ChainStepDefinition(
      "counter", "Counts samples.", [Parameter("size", .integer(1...4), standard: 4, "bytes; wraps")]),
    ChainStepDefinition("average", "Smooths samples.", [depth]),
    ChainStepDefinition("high-pass", "Removes the average (high-pass).", [depth]),
    ChainStepDefinition(
      "comparator", "Compares samples with values.",
      [
        Parameter(
          "value", .either([anyNumber, .list(of: anyNumber, 1...12)]), required: true, "what to compare with"),
        Parameter("op", .choice(["==", "!=", "<", "<=", ">", ">="]), standard: "==", "how"),
        Parameter(
          "mode", .choice(["absolute", "reference", "zone", "binary"]), standard: "absolute", "what comes out"
        ),
      ], inUnit: ["value"]),
    ChainStepDefinition("rms", "Root mean square of a vector."),
    ChainStepDefinition("rss", "Length of a vector."),
    ChainStepDefinition(
      "time", "At most one sample per period.",
      [
        Parameter("period_ms", .integer(1...4_294_967_295), required: true, "the period"),
        Parameter("mode", .choice(["absolute", "differential"]), standard: "absolute", "what comes out"),
      ]),
    ChainStepDefinition(
      "math", "Computes with samples.",
      [
        Parameter(
          "op",
          .choice([
            "add", "subtract", "multiply", "divide", "modulus", "exponent", "sqrt", "left-shift",
            "right-shift",
            "abs", "constant",
          ]), required: true, "what to compute"), Parameter("value", anyNumber, "the right side"),
      ], inUnit: ["value"]),
    ChainStepDefinition(
      "delay", "The sample of some samples ago.",
      [Parameter("samples", .integer(1...255), required: true, "how many")]),
    ChainStepDefinition(
      "pulse", "Finds stretches above a threshold.",
      [
        Parameter("threshold", anyNumber, required: true, "where they begin"),
        Parameter("samples", .integer(1...65_535), required: true, "fewest samples"),
        Parameter(
          "output", .choice(["width", "area", "peak", "detect"]), standard: "detect", "what comes out"),
      ], inUnit: ["threshold"]),
    ChainStepDefinition(
      "delta", "Passes samples that differ enough from the last one passed.",
      [
        Parameter("magnitude", .number(0...4_294_967_295), required: true, "how far"),
        Parameter(
          "mode", .choice(["absolute", "differential", "binary"]), standard: "absolute", "what comes out"),
      ], inUnit: ["magnitude"]),
    ChainStepDefinition(
      "threshold", "Reports when samples cross a threshold.",
      [
        Parameter("boundary", anyNumber, required: true, "the boundary"),
        Parameter("hysteresis", .number(0...65_535), standard: 0, "how far beyond"),
        Parameter("mode", .choice(["absolute", "binary"]), standard: "absolute", "what comes out"),
      ], inUnit: ["boundary", "hysteresis"]),
    ChainStepDefinition("buffer", "Keeps the last sample to be read."),
    ChainStepDefinition(
      "packer", "Packs several samples into one packet.",
      [Parameter("count", .integer(2...17), required: true, "how many")]),
    ChainStepDefinition(
      "accounter", "Prefixes samples with the time or a counter.",
      [Parameter("mode", .choice(["time", "count"]), standard: "time", "which")]),
    ChainStepDefinition(
      "fuser", "Joins samples of several signals.",
      [Parameter("with", .list(of: .text(1...64), 1...12), required: true, "streams or chains to join")]),
  ]

  private static let depth = Parameter("depth", .integer(1...255), required: true, "samples it remembers")
}
