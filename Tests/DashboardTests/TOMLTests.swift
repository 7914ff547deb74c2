import Testing

@Suite struct TOMLTests {
  @Test func `tables, lists of tables and values as Telegraf's files have them`() throws {
    let file = try TOML.parse(
      """
      # A comment.
      [agent]
        omit_hostname = true
      [[inputs.mqtt_consumer]]
        topics = ["a/+", "b"]
        qos = 1
        [[inputs.mqtt_consumer.json_v2]]
          path = "x"
          [inputs.mqtt_consumer.json_v2.fields]
            steps = "int"
      [[inputs.mqtt_consumer]]
        topics = ["c"]
      """)
    #expect(file["agent"]["omit_hostname"] == .bool(true))
    let consumers = file["inputs"]["mqtt_consumer"].list
    #expect(consumers.map { $0["topics"].list.compactMap(\.text) } == [["a/+", "b"], ["c"]])
    #expect(consumers.first?["qos"].number == 1)
    let rule = consumers.first?["json_v2"].list.first ?? .null
    #expect(rule["path"].text == "x" && rule["fields"]["steps"].text == "int")
  }

  @Test(arguments: ["a = [", "a = 'x'", "a.b = 1", "words"])
  func `anything else is an error and no guess`(text: String) {
    #expect(throws: (any Error).self) { try TOML.parse(text) }
  }
}
