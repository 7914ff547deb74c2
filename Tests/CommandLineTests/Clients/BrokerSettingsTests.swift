import FleetModel
import Testing

@testable import metafleet

@Suite struct BrokerSettingsTests {
  @Test func `option goes before environment, environment before file, file before default`() throws {
    let options = BrokerSettings(host: "option")
    let environment = try BrokerSettings(environment: [
      "METAFLEET_MQTT_HOST": "environment", "METAFLEET_MQTT_PORT": "1999", "METAFLEET_MQTT_USERNAME": "",
    ])
    var file = UplinkConfiguration()
    file.host = "file"
    file.port = 8883
    file.username = "fileuser"
    file.base = "plant"
    let settings = options.or(environment).laid(over: file)
    #expect(settings.host == "option")
    #expect(settings.port == 1999)
    #expect(settings.username == "fileuser")
    #expect(settings.passwordFile == nil)
    #expect(settings.base == "plant")
    #expect(BrokerSettings().or(BrokerSettings()).laid(over: UplinkConfiguration()) == UplinkConfiguration())
  }

  @Test
  func `F101 a password may stand in the environment, which only its own user can read, and in no option`()
    throws
  {
    let environment = try BrokerSettings(environment: ["METAFLEET_MQTT_PASSWORD": "geheim"])
    #expect(environment.passwordFile == "environment:METAFLEET_MQTT_PASSWORD")
    #expect(environment.or(BrokerSettings(passwordFile: "/f")).passwordFile == environment.passwordFile)
    #expect(BrokerSettings(passwordFile: "/f").or(environment).passwordFile == "/f")
    #expect {
      try BrokerSettings(environment: [
        "METAFLEET_MQTT_PASSWORD": "geheim", "METAFLEET_MQTT_PASSWORD_FILE": "/f",
      ])
    } throws: {
      let failure = $0 as? CommandLineFailure
      return failure?.status == .usage && failure?.message.contains("geheim") == false
    }
  }

  @Test func `F253 a host may bring its port and TLS along, before what is said elsewhere`() throws {
    let environment = try BrokerSettings(environment: [
      "METAFLEET_MQTT_HOST": "mqtts://there:8884\r", "METAFLEET_MQTT_USERNAME": " me\r\n",
    ]).takenApart()
    #expect(environment.host == "there" && environment.port == 8884 && environment.username == "me")
    let settings = try BrokerSettings(host: "[::1]:1884").takenApart().or(environment)
      .laid(over: UplinkConfiguration())
    #expect(settings.host == "::1" && settings.port == 1884 && settings.tls == TLSConfiguration())
    #expect(try BrokerSettings(host: "a:1", port: 1).takenApart().port == 1)
    for (host, port) in [("a:1", 2), ("ws://a", 1)] {
      #expect { try BrokerSettings(host: host, port: port).takenApart() } throws: {
        ($0 as? CommandLineFailure)?.status == .usage
      }
    }
  }

  @Test func `TLS is said by the environment, too`() throws {
    let environment = try BrokerSettings(environment: [
      "METAFLEET_MQTT_TLS": "true", "METAFLEET_MQTT_CA": "/ca",
    ])
    #expect(environment.laid(over: UplinkConfiguration()).tls == TLSConfiguration(authority: "/ca"))
    #expect(throws: CommandLineFailure.self) {
      try BrokerSettings(environment: ["METAFLEET_MQTT_TLS": "yes"])
    }
  }

  @Test(arguments: ["", "x", "0", "65536"])
  func `a port of the environment is a port`(_ text: String) throws {
    let environment = ["METAFLEET_MQTT_PORT": text]
    if text.isEmpty {
      #expect(try BrokerSettings(environment: environment).port == nil)
    } else {
      #expect { try BrokerSettings(environment: environment) } throws: {
        ($0 as? CommandLineFailure)?.status == .usage
      }
    }
  }
}
