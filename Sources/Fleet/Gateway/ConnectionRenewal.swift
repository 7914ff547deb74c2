/// Has the gateway connect to the broker anew, with what files hold by now.
package enum ConnectionRenewal {
  /// `reason` is what has changed, in a sentence.
  package static func run(because reason: String, for gateway: isolated Gateway) async {
    gateway.documents.alarms.lookAtCertificatesAgain()
    await gateway.uplink.renew(because: reason)
  }
}
