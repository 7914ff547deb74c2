import FleetModel
import Foundation

/// Reads when the certificates of the section `mqtt.tls` expire.
enum CertificateFiles {
  private static let largest = 1_000_000

  /// Our own; and the authority where it is the only one of its file: of a bundle some are always over. What cannot be
  /// read is left to who connects with it.
  static func expiries(_ files: TLSConfiguration) -> [(file: String, expires: Timestamp)] {
    let own = files.certificate.flatMap { file in certificates(in: file).first.map { (file, $0) } }
    let authority = files.authority.flatMap { file -> (String, [UInt8])? in
      let all = certificates(in: file)
      return all.count == 1 ? all.first.map { (file, $0) } : nil
    }
    return [own, authority].compactMap { found in
      guard let (file, bytes) = found else { return nil }
      return CertificateExpiry.of(bytes).map { (file, $0) }
    }
  }

  /// Those of a PEM file, as DER.
  private static func certificates(in file: String) -> [[UInt8]] {
    guard let bytes = try? FileContent.read(file, atMost: largest) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
      let body = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
      return Data(base64Encoded: body, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
    }
  }
}
