import FleetModel
import Testing

/// What a verb makes of arguments, as the dispatcher would ask it.
func intent(
  _ verb: String, _ arguments: JSONObject, _ addressee: VerbDefinition.Addressee = .board
) throws -> Intent {
  try #require(VerbCatalogue.find(verb, for: addressee)).interpret(arguments)
}

/// Why a verb refuses arguments; nil when it takes them.
func refusal(
  _ verb: String, _ arguments: JSONObject, _ addressee: VerbDefinition.Addressee = .board
) throws -> CommandFailure? {
  let definition = try #require(VerbCatalogue.find(verb, for: addressee))
  do throws(CommandFailure) {
    _ = try definition.interpret(arguments)
    return nil
  } catch { return error }
}
