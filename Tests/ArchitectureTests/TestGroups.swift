/// Files that decide and are tested as parts of something larger: the file's name, and that of the test file.
enum TestGroups {
  static let byFile: [String: String] = [
    "BlueZObjects": "BlueZTreeTests",
    "BoardStream": "StreamOffersTests",
    "Explanation": "ExplanationRuleTests",
    "HardwareAddress": "SettingsTests",
    "LEDShow": "LEDCommandTests",
    "Watch": "EventLoopTests",
  ]
}
