import Dialects
import FleetModel

/// What a TLS handshake of our own found out about a broker with which the connection had failed, and what that means
/// to people: cause and remedy, in as many sentences as there are causes (fault F255). Pure.
struct HandshakeReport: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    /// TLS was agreed upon, whatever is to be said of certificates.
    case agreed
    /// What answers there does not speak TLS.
    case plain
    /// It hung up when it heard TLS.
    case hungUp
    /// The other end sent this alert (RFC 8446, section 6).
    case alert(Int)
    /// Nobody knows.
    case unclear
  }

  /// What is wrong with a certificate that the broker showed.
  struct Fault: Hashable, Sendable {
    /// OpenSSL's number of it, `X509_V_ERR_…`.
    var code: Int
    /// 0 is the broker's own, above it are authorities.
    var depth: Int
    /// When the certificate is valid.
    var from: Timestamp
    var until: Timestamp
  }

  var outcome: Outcome
  var faults: [Fault] = []
  /// The names that the broker's certificate is for.
  var names: [String] = []
  /// Who signed it.
  var issuer = ""
  /// When that was, by this computer's clock.
  var time = Timestamp(nanoseconds: 0)

  /// What to say of a connection that was made as `configuration` says; nil where nothing better is known than before.
  func sentence(_ configuration: MosquittoConfiguration) -> String? {
    guard let tls = configuration.tls else { return plainSentence }
    switch outcome {
    case .plain:
      return "the broker does not speak TLS on port \(configuration.port); the usual port for TLS is 8883"
    case .hungUp:
      return
        "the broker hangs up on TLS: most likely it does not speak TLS on port \(configuration.port); the usual port "
        + "for TLS is 8883"
    case .agreed, .alert, .unclear:
      var sentences: [String] = []
      for fault in faults {
        let sentence = sentence(of: fault, configuration, tls)
        if !sentences.contains(sentence) { sentences.append(sentence) }
      }
      if case .alert(let number) = outcome, let sentence = sentence(ofAlert: number, tls) {
        sentences.append(sentence)
      }
      return sentences.isEmpty ? nil : sentences.joined(separator: "; and ")
    }
  }

  /// A port for TLS that was spoken to without: whatever it answers to a handshake, it speaks TLS.
  private var plainSentence: String? {
    switch outcome {
    case .agreed, .alert:
      "the broker speaks TLS on this port; set mqtt.tls, or the port without TLS, usually 1883"
    case .plain, .hungUp, .unclear: nil
    }
  }

  private func sentence(
    of fault: Fault, _ configuration: MosquittoConfiguration, _ tls: TLSFiles
  ) -> String {
    let whose =
      fault.depth == 0 ? "the broker's certificate" : "the certificate of an authority of the broker"
    let (known, remedy) =
      tls.authorities.map { (" of \($0)", "put its certificate there (mqtt.tls.ca)") }
      ?? (" of the system's", "name a file with its certificate as mqtt.tls.ca")
    switch fault.code {
    case Code.expired:
      return
        "\(whose) expired on \(Self.day(fault.until)), and this computer's clock says \(Self.day(time)); renew it at the broker"
    case Code.notYetValid:
      return
        "\(whose) is valid from \(Self.day(fault.from)) on, and this computer's clock says \(Self.day(time)); set the clock"
    case Code.otherName, Code.otherAddress:
      let meant = names.isEmpty ? "for no name" : "for " + names.joined(separator: ", ")
      return
        "the broker's certificate is \(meant) and not for \(configuration.host); set mqtt.host to a name in the certificate"
    case Code.otherKey:
      return
        "\(whose) is signed by another authority of the same name as one\(known), one that was made anew perhaps; "
        + remedy
    case let code where Code.unknownAuthority.contains(code):
      let signer = issuer.isEmpty ? "an authority" : "the authority \(PrintableText.quoted(issuer))"
      return "the broker's certificate is signed by \(signer), which is not one\(known); \(remedy)"
    default: return "\(whose) cannot be verified (X.509 error \(fault.code))"
    }
  }

  private func sentence(ofAlert number: Int, _ tls: TLSFiles) -> String? {
    guard let certificate = tls.certificate else {
      // Before TLS 1.3 the wish for a certificate had no alert of its own.
      return [Alert.handshakeFailure, Alert.badCertificate, Alert.certificateRequired].contains(number)
        ? "the broker requires a client certificate; set mqtt.tls.certificate and mqtt.tls.key" : nil
    }
    switch number {
    case Alert.certificateExpired:
      return "the broker refuses our certificate \(certificate): it has expired; put a new one in its place"
    case Alert.unknownAuthority:
      return
        "the broker does not know the authority that signed our certificate \(certificate); its cafile must hold it"
    case Alert.certificateRevoked:
      return "the broker refuses our certificate \(certificate): it is revoked; put a new one in its place"
    case Alert.badCertificate, Alert.unsupportedCertificate, Alert.certificateUnknown,
      Alert.certificateRequired:
      return "the broker refuses our certificate \(certificate) (alert \(number)); its log says why"
    default: return nil
    }
  }

  /// `2026-11-20T10:30Z`, which is exact enough for certificates.
  private static func day(_ time: Timestamp) -> String { "\(ClockText.utc(time).prefix(16))Z" }

  /// `X509_V_ERR_…` of OpenSSL, which never change.
  enum Code {
    static let notYetValid = 9
    static let expired = 10
    static let otherKey = 7
    static let otherName = 62
    static let otherAddress = 64
    /// No issuer, not even here, nobody to verify the first one with; signed by itself, alone or on top.
    static let unknownAuthority = [2, 20, 21, 18, 19]
  }

  /// RFC 8446, section 6.2.
  enum Alert {
    static let handshakeFailure = 40
    static let badCertificate = 42
    static let unsupportedCertificate = 43
    static let certificateRevoked = 44
    static let certificateExpired = 45
    static let certificateUnknown = 46
    static let unknownAuthority = 48
    static let certificateRequired = 116
  }
}
