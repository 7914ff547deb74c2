/// Files that decide and are tested as parts of something larger: the file's name, and that of the test file.
enum TestGroups {
  static let byFile: [String: String] = [
    "BlueZObjects": "BlueZTreeTests",
    "BoardStream": "StreamOffersTests",
    "ConfigurationKey": "ConfigurationReaderTests",
    "GatewayVerbs": "GatewayVerbTests",
    "HardwareAddress": "SettingsTests",
    "JSONSchema": "ConfigCommandTests",
    "LEDVerbs": "LEDVerbTests",
    "Reading": "ConfigurationReaderTests",
    "ScheduleForm": "ScalarFormsTests",
    "SizeText": "ScalarFormsTests",
    "StreamVerbs": "StreamVerbTests",
    "TLSForm": "ConfigurationReaderTests",
    "TextWidth": "TableTests",
    "ValueForm": "ConfigurationReaderTests",
    "Watch": "EventLoopTests",
    "YAMLDocument": "ConfigurationReaderTests",
    "YAMLNode": "ConfigurationReaderTests",
  ]
}
