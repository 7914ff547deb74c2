/// Cases of our areas that wait for the codecs of later work, by name, so that none is skipped in silence.
enum VectorsLeft {
  static let reasons: [String: String] = {
    var reasons: [String: String] = [:]
    for (reason, names) in groups {
      for name in names { reasons[name] = reason }
    }
    return reasons
  }()

  private static let groups: [(reason: String, names: [String])] = [
    (
      "the vendor's binary serialisation of host state is not needed",
      ["meta-wear-board-deserialize-deserialize-same-firmware"]
    )
  ]
}
