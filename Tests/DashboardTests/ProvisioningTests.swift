import Testing
import Yams

@Suite struct ProvisioningTests {
  @Test func `the data source is the one the dashboards look for`() throws {
    let file = try #require(
      try Yams.compose(yaml: ShippedFiles.text("grafana/provisioning/datasources/metafleet.yaml")))
    let source = try #require(file["datasources"]?.sequence?.first)
    #expect(file["apiVersion"]?.int == 1)
    #expect(source["type"]?.string == "grafana-mqtt-datasource")
    #expect(source["uid"]?.string?.isEmpty == false)
    #expect(source["jsonData"]?["uri"]?.string == "tcp://${METAFLEET_MQTT_HOST}:${METAFLEET_MQTT_PORT}")
    #expect(
      source["secureJsonData"]?["password"]?.string?.hasPrefix("${") == true, "no secret lies in the file")
  }

  @Test func `dashboards come from files, and folders are folders`() throws {
    let file = try #require(
      try Yams.compose(yaml: ShippedFiles.text("grafana/provisioning/dashboards/metafleet.yaml")))
    let provider = try #require(file["providers"]?.sequence?.first)
    #expect(file["apiVersion"]?.int == 1)
    #expect(provider["type"]?.string == "file")
    #expect(provider["allowUiUpdates"]?.bool == false)
    #expect(provider["options"]?["foldersFromFilesStructure"]?.bool == true)
    #expect(provider["options"]?["path"]?.string == "${METAFLEET_DASHBOARDS}")
  }
}
