extension ChainStep {
  /// Whether it tells as many samples as it takes, whatever they are.
  var keepsRate: Bool {
    switch type {
    case "accumulator", "counter", "average", "high-pass", "rms", "rss", "math", "delay", "packer",
      "accounter":
      true
    case "passthrough": parameters["mode"]?.string ?? "all" == "all"
    default: false
    }
  }
}

extension [String: Chain] {
  /// The chain that takes the samples which `name` tells one for one, from a stream; nil where some step tells more or
  /// fewer.
  public func rateSource(of name: String) -> String? {
    var (name, left) = (name, count)
    while let chain = self[name], left > 0, chain.steps.allSatisfy(\.keepsRate) {
      guard self[chain.source] != nil else { return name }
      (name, left) = (chain.source, left - 1)
    }
    return nil
  }
}
