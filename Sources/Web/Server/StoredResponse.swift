internal import CMicrohttpd

/// An answer as libmicrohttpd has it. It is there until the last connection that it goes out on has it. Belongs to the
/// actor that made it.
final class StoredResponse {
  let status: UInt32
  let handle: OpaquePointer

  /// nil without memory.
  init?(_ content: HTTPContent) {
    guard let handle = content.bytes.withUnsafeBytes({ cmicrohttpd_response($0.baseAddress, $0.count) })
    else { return nil }
    (self.handle, status) = (handle, UInt32(content.status))
    for (name, value) in content.allHeaders.sorted(by: { $0.key < $1.key }) {
      cmicrohttpd_add_header(handle, name, value)
    }
  }

  deinit { MHD_destroy_response(handle) }
}
