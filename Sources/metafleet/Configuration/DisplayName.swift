import Foundation

/// What a name for people may be (MQTT contract 9).
enum DisplayName {
  /// Refuses what a display, a log line or a comparison could stumble over.
  static func check(_ text: String) throws(Refusal) {
    if text.unicodeScalars.contains(where: { !isPrintable($0) }) {
      throw Refusal("it holds a control, format or bidirectional character; remove it")
    }
    if text.first == " " || text.last == " " {
      throw Refusal("it begins or ends with a space; remove it")
    }
    if !text.unicodeScalars.elementsEqual(text.precomposedStringWithCanonicalMapping.unicodeScalars) {
      throw Refusal("its accents are separate characters; write it in Unicode's composed form (NFC)")
    }
  }
}
