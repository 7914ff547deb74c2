internal import CMicrohttpd

/// An answer as libmicrohttpd has it. It is there until the last connection that it goes out on has it. Belongs to the
/// actor that made it.
final class StoredResponse {
  let status: UInt32
  let handle: OpaquePointer

  /// nil without memory.
  convenience init?(_ content: HTTPContent) {
    guard let handle = content.bytes.withUnsafeBytes({ cmicrohttpd_response($0.baseAddress, $0.count) })
    else { return nil }
    self.init(handle, status: content.status, headers: content.allHeaders)
  }

  init(_ handle: OpaquePointer, status: Int, headers: [String: String]) {
    (self.handle, self.status) = (handle, UInt32(status))
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      cmicrohttpd_add_header(handle, name, value)
    }
  }

  deinit { MHD_destroy_response(handle) }
}
