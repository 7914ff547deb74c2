/// Arguments or a stream configuration checked against its declaration: every value allowed, defaults filled in.
public struct ValidArguments: Sendable {
  /// The values, in the order of the declaration.
  public let values: JSONObject
  /// Keys whose value was moved to the nearest offered one, because the sender asked for that.
  public let adjusted: [String]
}

/// Checks objects against declared parameters. A typo never turns into a default.
public enum ArgumentValidation {
  /// Checks `arguments`. With `acceptNearest`, values that are not on a list become the nearest offered one.
  /// Throws `invalid`, naming the key, what is allowed, and for numbers on a list the nearest.
  public static func validate(
    _ arguments: JSONObject, against parameters: [Parameter], of subject: String, acceptNearest: Bool = false
  ) throws(CommandFailure) -> ValidArguments {
    var check = ArgumentCheck(acceptNearest: acceptNearest)
    let values = check.members(of: arguments, against: parameters, at: .request(subject))
    if let fault = check.faults.first { throw .invalid(fault.text) }
    return ValidArguments(
      values: values, adjusted: parameters.map(\.name).filter { check.adjusted.contains($0) })
  }
}
