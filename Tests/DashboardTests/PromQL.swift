/// What an expression of Prometheus' language names, held against the series there are.
struct PromQL {
  private let expression: String
  private let contract: MetricContract

  /// What is wrong with the names in an expression, in sentences.
  static func problems(of expression: String, contract: MetricContract = .ours) -> [String] {
    let query = PromQL(expression: expression, contract: contract)
    return query.selectorProblems + query.groupingProblems + query.wordProblems
  }

  /// Labels that its result may bear.
  static func labels(of expression: String, contract: MetricContract = .ours) -> Set<String> {
    PromQL(expression: expression, contract: contract).labels
  }

  private static let words: Set<String> = ["and", "bool", "offset", "or", "unless"]
  private static let functions: Set<String> = [
    "absent", "avg", "avg_over_time", "bottomk", "changes", "count", "deriv", "histogram_quantile",
    "increase",
    "label_values", "last_over_time", "max", "max_over_time", "min", "min_over_time", "predict_linear",
    "rate",
    "resets", "sum", "time", "topk",
  ]

  private struct Selector {
    let name: String
    let matchers: [(label: String, value: String)]
  }

  /// Names with what stands in braces behind them.
  private var selectors: [Selector] {
    named.matches(of: /([a-zA-Z_:][\w:]*)\s*(\{(?:[^}"]|"[^"]*")*\})?/).compactMap { match in
      let name = String(match.1)
      let next = named[match.range.upperBound...].first { !$0.isWhitespace }
      guard !Self.words.contains(name), match.2 != nil || next != "(" else { return nil }
      let matchers = (match.2 ?? "").matches(of: /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/).map {
        (String($0.1), String($0.2))
      }
      return Selector(name: name, matchers: matchers)
    }
  }

  /// The expression without its groupings, ranges and numbers.
  private var named: String {
    expression.replacing(Self.grouping, with: " ").replacing(/\[[^\]]*\]/, with: " ")
      .replacing(/\b\d[\w.]*/, with: " ")
  }

  private static var grouping: Regex<(Substring, Substring, Substring)> {
    /\b(by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/
  }

  private var labels: Set<String> {
    selectors.reduce(into: MetricContract.own) { $0.formUnion(contract.labels[$1.name] ?? []) }
  }

  private var selectorProblems: [String] {
    selectors.flatMap { selector -> [String] in
      guard let labels = contract.labels[selector.name] else { return ["no metric \(selector.name)"] }
      return selector.matchers.flatMap { matcher -> [String] in
        if !labels.union(MetricContract.own).contains(matcher.label) {
          return ["no label \(matcher.label) on \(selector.name)"]
        }
        guard matcher.label == "condition" else { return [] }
        return matcher.value.split(separator: "|").filter { !contract.conditions.contains(String($0)) }.map {
          "no condition \($0)"
        }
      }
    }
  }

  private var groupingProblems: [String] {
    expression.matches(of: Self.grouping).flatMap { match in
      match.2.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty && !labels.contains($0) }
        .map { "no label \($0) in \(match.1)" }
    }
  }

  /// A function that nobody here knows may be a mistyped one.
  private var wordProblems: [String] {
    named.replacing(/"[^"]*"/, with: "").matches(of: /([a-zA-Z_]\w*)\s*\(/)
      .map { String($0.1) }
      .filter { !Self.functions.contains($0) && !Self.words.contains($0) }.map { "no function \($0)" }
  }
}
