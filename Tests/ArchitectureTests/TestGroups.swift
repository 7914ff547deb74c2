/// Files that decide and are tested as parts of something larger: the file's name, and that of the test file.
enum TestGroups {
  static let byFile: [String: String] = [
    "AccelerometerMeanings": "PacketExplainerTests",
    "BlueZObjects": "BlueZTreeTests",
    "BoardStream": "StreamOffersTests",
    "DebugMeanings": "PacketExplainerTests",
    "Decode": "DecodeCommandTests",
    "Explanation": "ExplanationRuleTests",
    "HardwareAddress": "SettingsTests",
    "LEDShow": "LEDCommandTests",
    "LoggingMeanings": "PacketExplainerTests",
    "ModuleMeanings": "PacketExplainerTests",
    "NumberTail": "JSONWriterTests",
    "OutputMeanings": "PacketExplainerTests",
    "PacketContext": "PacketExplainerTests",
    "PayloadReader": "PacketExplainerTests",
    "SensorMeanings": "PacketExplainerTests",
    "SettingsMeanings": "PacketExplainerTests",
    "Watch": "EventLoopTests",
  ]
}
