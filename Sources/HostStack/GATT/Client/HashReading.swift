import BluetoothTypes
import RadioPort

/// Reads the peer's Database Hash by its type, over all handles, so that it needs no discovery and is answered whatever
/// the client knows (Core 5.4, Vol 3, Part G, 2.5.2.1 and 7.3).
enum HashReading {
  static var start: ClientStep {
    .send(
      ATTReadByTypeRequest(
        start: AttributeHandle(0x0001),
        end: AttributeHandle(0xFFFF),
        type: .databaseHash
      )
    )
  }

  static func receive(_ reply: ClientReply) -> ClientStep {
    switch reply {
    case .error(let error):
      return .fail(.att(error, "the read of the Database Hash", handle: error.handle))
    case .response(let frame):
      do throws(ByteError) {
        let response = try ATTReadByTypeResponse(frame: frame)
        return .finish(.value(response.records.first?.value ?? []))
      } catch {
        return .fail(.unreadable(.readByTypeResponse, error))
      }
    }
  }
}
