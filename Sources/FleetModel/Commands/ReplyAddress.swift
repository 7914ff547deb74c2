/// Where a request's sender wants its answers besides the verb's own reply topic, as MQTT 5 has it.
public struct ReplyAddress: Hashable, Sendable {
  /// The request's response topic; nil where it has none.
  public var responseTopic: String?
  /// The request's correlation data, given back with what goes to the response topic.
  public var correlationData: [UInt8]

  /// No other than the verb's reply topic, unless said so.
  public init(responseTopic: String? = nil, correlationData: [UInt8] = []) {
    self.responseTopic = responseTopic
    self.correlationData = correlationData
  }
}
