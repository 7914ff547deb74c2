/// The version of the program, as `--version` and the gateway's `info` say it.
enum Version {
  static let text = "1.0.0"
}
