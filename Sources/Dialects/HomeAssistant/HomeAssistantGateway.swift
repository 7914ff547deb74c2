import FleetModel

/// A gateway as Home Assistant's MQTT integration discovers it: a device with its alarms (MQTT API 7). Pure.
struct HomeAssistantGateway {
  let topics: TopicTree
  /// Of MetaFleet.
  let version: String

  /// The identifier of a gateway's device, and the beginning of those of its entities.
  static func identifier(of gateway: String) -> String { "metafleet_gateway_\(gateway)" }

  /// The whole document.
  var document: JSONObject {
    let identifier = Self.identifier(of: topics.gateway)
    let components = [alarms, problem].map { ($0.key, JSONValue.object($0.component(of: identifier))) }
    return [
      "device": [
        "identifiers": [.string(identifier)], "name": .string("MetaFleet \(topics.gateway)"),
        "manufacturer": "MetaFleet", "model": "Gateway", "sw_version": .string(version),
      ],
      "origin": ["name": "MetaFleet", "sw_version": .string(version)],
      "availability": [.object(HomeAssistantDevice.availability(topics.gatewayAvailability))],
      "availability_mode": "all",
      "qos": 1,
      "components": .object(JSONObject(components)),
    ]
  }

  /// How many there are; the gravest stand in its attributes, of which Home Assistant keeps no more than 16 kB.
  private var alarms: HomeAssistantEntity {
    HomeAssistantEntity(
      "alarms", "sensor", "Alarms",
      [
        "state_topic": .string(topics.gatewayAlarms),
        "value_template": "{{ value_json.count | default(none) }}",
        "json_attributes_topic": .string(topics.gatewayAlarms),
        "json_attributes_template":
          "{{ {'unacknowledged': value_json.unacknowledged, 'alarms': value_json.alarms[:20]} | to_json }}",
        "state_class": "measurement", "icon": "mdi:alert",
      ])
  }

  /// Whether there is one that is worse than good to know, and that nobody has acknowledged.
  private var problem: HomeAssistantEntity {
    HomeAssistantEntity(
      "problem", "binary_sensor", "Problem",
      [
        "state_topic": .string(topics.gatewayAlarms), "device_class": "problem",
        "value_template": """
        {{ 'ON' if value_json.alarms | rejectattr('severity', 'eq', 'info') | rejectattr('acknowledged') | list else 'OFF' }}
        """,
      ])
  }
}
