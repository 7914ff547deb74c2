/// Every kind of file that is shipped, each with its rule: a file of no kind is one that nobody holds to the contract.
enum ShippedKind: CaseIterable {
  case dashboard, dataSources, dashboardProviders
  case prometheusConfiguration, prometheusRules, prometheusTests
  case flows, telegraf, homeAssistant, document

  /// Of a file by its path below `dashboards`; nil for one that nobody expects.
  init?(of path: String) {
    let kind = Self.allCases.first { (try? $0.place.wholeMatch(in: path)) != nil }
    guard let kind else { return nil }
    self = kind
  }

  private var place: Regex<Substring> {
    switch self {
    case .dashboard: /grafana\/dashboards\/.+\.json/
    case .dataSources: /grafana\/provisioning\/datasources\/[\w-]+\.yaml/
    case .dashboardProviders: /grafana\/provisioning\/dashboards\/[\w-]+\.yaml/
    case .prometheusConfiguration: /prometheus\/prometheus\.yml/
    case .prometheusRules: /prometheus\/rules\/[\w-]+\.yml/
    case .prometheusTests: /prometheus\/tests\/[\w-]+\.yml/
    case .flows: /node-red\/[\w-]+\.json/
    case .telegraf: /telegraf\/[\w-]+\.conf/
    case .homeAssistant: /home-assistant\/(?:blueprints\/)?[\w-]+\.yaml/
    case .document: /README\.md/
    }
  }

  /// What is wrong with a file of this kind, in sentences.
  func problems(of text: String) throws -> [String] {
    switch self {
    case .dashboard: GrafanaRule.problems(of: try JSON(text))
    case .dataSources: ProvisioningRule.problems(ofDataSources: try JSON(yaml: text))
    case .dashboardProviders: ProvisioningRule.problems(ofProviders: try JSON(yaml: text))
    case .prometheusConfiguration: PrometheusRule.problems(ofConfiguration: try JSON(yaml: text))
    case .prometheusRules: PrometheusRule.problems(ofRules: try JSON(yaml: text))
    case .prometheusTests: PrometheusRule.problems(ofTests: try JSON(yaml: text))
    case .flows: NodeREDRule.problems(of: try JSON(text))
    case .telegraf: TelegrafRule.problems(of: try TOML.parse(text))
    case .homeAssistant: HomeAssistantRule.problems(of: try JSON(yaml: text))
    case .document: []
    }
  }
}
