import Dialects
import FleetModel
import Testing

@Suite struct CBORWriterTests {
  /// Of RFC 8949, appendix A, what JSON can say.
  @Test(
    arguments: [
      ("0", "00"), ("1", "01"), ("10", "0a"), ("23", "17"), ("24", "1818"), ("25", "1819"), ("100", "1864"),
      ("1000", "1903e8"), ("1000000", "1a000f4240"), ("1000000000000", "1b000000e8d4a51000"), ("-1", "20"),
      ("-10", "29"), ("-100", "3863"), ("-1000", "3903e7"), ("1.1", "fb3ff199999999999a"), ("1.5", "f93e00"),
      ("100000.5", "fa47c35040"), ("3.4028234663852886e+38", "fa7f7fffff"),
      ("1.0e+300", "fb7e37e43c8800759c"),
      ("5.960464477539063e-8", "f90001"), ("0.00006103515625", "f90400"), ("-4.1", "fbc010666666666666"),
      ("false", "f4"), ("true", "f5"), ("null", "f6"), ("\"\"", "60"), ("\"IETF\"", "6449455446"),
      ("\"\\\"\\\\\"", "62225c"), ("\"\\u00fc\"", "62c3bc"), ("\"\\u6c34\"", "63e6b0b4"), ("[]", "80"),
      ("[1,[2,3],[4,5]]", "8301820203820405"), ("{}", "a0"), ("{\"a\":1,\"b\":[2,3]}", "a26161016162820203"),
      (
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]",
        "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
      ),
    ])
  func `the examples of the standard`(_ json: String, _ hexadecimal: String) throws {
    let value = try StrictJSON.parse(Array(json.utf8))
    #expect(hex(CBORWriter.bytes(of: value)) == hexadecimal)
  }

  /// 4.2.1: shorter keys come first, since their heads are smaller.
  @Test func `keys stand in the order of their bytes`() {
    let object: JSONObject = ["bb": 1, "z": 2, "aa": 3, "a": 4]
    #expect(hex(CBORWriter.bytes(of: .object(object))) == "a4616104617a0262616103626262" + "01")
  }

  @Test func `the same members in another order are the same bytes`() {
    let one: JSONObject = ["seq": 1, "board": "x"]
    let other: JSONObject = ["board": "x", "seq": 1]
    #expect(CBORWriter.bytes(of: .object(one)) == CBORWriter.bytes(of: .object(other)))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
  }
}
