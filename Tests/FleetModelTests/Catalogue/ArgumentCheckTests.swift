import Testing

@testable import FleetModel

/// Everything wrong is named at once, each with its place: in the file by its path, elsewhere by whose key it is.
@Suite struct ArgumentCheckTests {
  private static let keys = [
    ConfigurationKeys.key("number", .integer(0...9), required: true, "A number."),
    ConfigurationKeys.key("name", .name, sample: "x", whenMissing: "nobody", reload: .restart, "A name."),
    ConfigurationKeys.section("inner", [ConfigurationKeys.key("flag", .boolean, "A flag.")], "More."),
    ConfigurationKeys.key("seen", .boolean, "Read elsewhere."),
    ConfigurationKeys.later("soon", .boolean, standard: false, "Later."),
  ]
  private let place = ArgumentPlace.file.member("t")

  private func check(_ object: JSONObject) -> (values: JSONObject, faults: [ArgumentFault]) {
    var check = ArgumentCheck()
    let values = check.members(of: object, against: Self.keys, at: place)
    return (values, check.faults)
  }

  private func check(_ value: JSONValue, as type: ParameterType) -> (value: JSONValue?, texts: [String]) {
    var check = ArgumentCheck()
    let value = check.value(value, as: type, at: .file.member("k"))
    return (value, check.faults.map(\.text))
  }

  @Test func `values arrive with defaults`() {
    let (values, faults) = check(["number": 7, "name": "x", "inner": ["flag": true], "seen": true])
    #expect(faults == [])
    #expect(
      values == ["number": 7, "name": "x", "inner": ["flag": true], "seen": true, "soon": false])
  }

  private static let wrongCases: [(JSONObject, String, ArgumentFault.Part, String)] = [
    (["name": "x"], "t.number", .holder, "t needs the key number"),
    (["number": 1, "nmae": "x"], "t.nmae", .key, "t has no key \"nmae\"; did you mean name?"),
    (
      ["number": 1, "inner": ["flog": true]], "t.inner.flog", .key,
      "t.inner has no key \"flog\"; did you mean flag?"
    ),
    (
      ["number": 1, "zzzzzz": 1], "t.zzzzzz", .key,
      "t has no key \"zzzzzz\"; it takes number, name, inner, seen, soon"
    ),
    (["number": 1, "seen": "3"], "t.seen", .value, "t.seen must be true or false, not \"3\""),
    (
      ["number": 1, "inner": [1]], "t.inner", .value,
      "t.inner must be a mapping of keys to values, not a list"
    ),
  ]

  @Test(arguments: wrongCases)
  func `what is missing, unknown or wrong is told with its place`(
    object: JSONObject, path: String, part: ArgumentFault.Part, text: String
  ) {
    let faults = check(object).faults
    #expect(faults.map(\.text) == [text])
    #expect(faults.map(\.path) == [path] && faults.map(\.part) == [part] && faults[0].severity == .error)
  }

  @Test func `all of it is told`() {
    #expect(check(["nmae": "x", "seen": 3, "soon": 3]).faults.count == 5)
  }

  @Test func `what comes later is checked and warned of`() {
    let faults = check(["number": 1, "soon": true]).faults
    #expect(faults.map(\.text) == ["t.soon is not in effect in this version"])
    #expect(faults.map(\.severity) == [.warning])
    #expect(check(["number": 1, "soon": "3"]).faults.contains { $0.severity == .error })
  }

  private static let renamed = [
    ConfigurationKeys.key("interval", .integer(1...9), required: true, formerly: "every", "How often.")
  ]

  @Test(
    arguments: [
      (
        ["every": 7], ["interval": 7], .warning,
        "t.every is called interval now; rename it: the next version no longer reads every"
      ),
      (["every": 70], [:], .error, "t.every must be a whole number from 1 to 9, not 70"),
      (
        ["every": 7, "interval": 5], ["interval": 5], .error,
        "t.every is the former name of interval, which is there too; remove it"
      ),
    ] as [(JSONObject, JSONObject, ConfigurationProblem.Severity, String)])
  func `a key is read by its former name, with a warning`(
    object: JSONObject, values: JSONObject, severity: ConfigurationProblem.Severity, text: String
  ) {
    var check = ArgumentCheck()
    #expect(check.members(of: object, against: Self.renamed, at: place) == values)
    #expect(check.faults.contains { $0.text == text && $0.severity == severity && $0.path == "t.every" })
    #expect(check.faults.allSatisfy { $0.path == "t.every" })
  }

  @Test func `lists are judged element by element and bounded`() {
    let type = ParameterType.list(of: .integer(1...9), 0...2)
    #expect(check([1, 2], as: type).value == [1, 2])
    #expect(check([1, "x"], as: type).texts == ["k[1] must be a whole number from 1 to 9, not \"x\""])
    #expect(check([1, 2, 3], as: type).texts == ["k has 3 entries; at most 2 are allowed"])
    #expect(
      check("1", as: type).texts == [
        "k must be a list, not \"1\"; write [a, b], or one entry per line, each behind a dash"
      ])
    #expect(
      check([], as: .list(of: .boolean, 1...2)).texts == [
        "k has no entries; it takes a list"
      ])
  }

  @Test func `maps are judged key by key and bounded`() {
    let type = ParameterType.map(of: .integer(1...9), 0...2)
    #expect(check(["a": 1, "b": 2], as: type).value == ["a": 1, "b": 2])
    #expect(check(["a": "x"], as: type).texts == ["k.a must be a whole number from 1 to 9, not \"x\""])
    #expect(check(["a": 1, "b": 2, "c": 3], as: type).texts == ["k has 3 keys; at most 2 are allowed"])
    let (value, texts) = check(["A": 1], as: type)
    #expect(value == [:])
    #expect(
      texts == [
        "a key of k must be lower-case letters, digits and _, at most 32, starting with a letter, not \"A\""
      ])
  }

  @Test func `auto, or a value; a member of a form that is one is named`() {
    let number = ParameterType.automatic(or: .integer(1...9))
    #expect(check("auto", as: number).value == "auto" && check(7, as: number).value == 7)
    #expect(check("x", as: number).texts == ["k must be auto, or a whole number from 1 to 9, not \"x\""])
    #expect(
      check(["x"], as: .automatic(or: .list(of: .boolean, 0...2))).texts == [
        "k[0] must be true or false, not \"x\""
      ])
  }

  @Test func `a type is told in its own words`() {
    let type = ParameterType.worded("true, or files", .either([.boolean, .object([])]))
    #expect(check("x", as: type).texts == ["k must be true, or files, not \"x\""])
    #expect(check(true, as: type).value == true)
  }

  @Test(
    arguments: [
      ("20", .duration(atLeast: .seconds(1), atMost: .seconds(60)), "it has no unit: write 20s for seconds"),
      ("200", .size, "units are B kB MB GB TB"), ("10", .percent, "write 10%"),
      ("900", .scheduleRule(), "write 900s for seconds"),
      ("infos", .choice(["info", "debug"]), "did you mean info?"),
    ] as [(JSONValue, ParameterType, String)])
  func `who writes the file is helped`(value: JSONValue, type: ParameterType, hint: String) {
    #expect(check(value, as: type).texts.first?.contains(hint) == true)
  }

  @Test func `whose key it is is said elsewhere`() {
    var check = ArgumentCheck()
    let type = ParameterType.object([Parameter("groups", .list(of: .name, 0...2), "")])
    _ = check.value(["groups": ["Pumps"]], as: type, at: .request("admit"))
    _ = check.value(["groups": 5, "b": 1], as: type, at: ArgumentPlace.file.member("s").called("admit"))
    #expect(check.faults.map(\.path) == ["groups[0]", "s.b", "s.groups"])
    #expect(check.faults[0].text.hasPrefix("groups[0] of admit must be a name of"))
    #expect(check.faults[2].text.hasPrefix("groups of admit must be a list of at most 2"))
  }
}
