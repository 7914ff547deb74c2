/// The order in which people look for names: `Demo 2` before `Demo 10`, capitals do not count.
enum NaturalOrder {
  static func isBefore(_ left: String, _ right: String) -> Bool {
    var (left, right) = (Substring(left.lowercased()), Substring(right.lowercased()))
    while let one = left.first, let other = right.first {
      if isDigit(one), isDigit(other) {
        let (number, otherNumber) = (takeNumber(&left), takeNumber(&right))
        // Without leading zeros, the longer number is the larger.
        if number != otherNumber { return (number.count, number) < (otherNumber.count, otherNumber) }
      } else {
        if one != other { return one < other }
        left.removeFirst()
        right.removeFirst()
      }
    }
    return left.isEmpty && !right.isEmpty
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

  private static func takeNumber(_ text: inout Substring) -> String {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return String(digits.drop { $0 == "0" })
  }
}
