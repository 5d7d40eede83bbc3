import BluetoothTypes
import HostStack

/// A small attribute server that answers what a discovery asks, as the specification says.
struct TestServer {
  struct Attribute {
    var handle: UInt16
    var type: BluetoothUUID
    var value: [UInt8]
  }

  var attributes: [Attribute] = []
  var mtu = 23
  var ownMTU = 517
  /// Called before each answer; what it returns is the answer instead.
  var refuse: (_ pdu: [UInt8]) -> [UInt8]? = { _ in nil }
  /// Ends the last service at 0xFFFF, as some servers do.
  var isOpenEnded = false
  var asked: [[UInt8]] = []

  // MARK: Building

  private var nextHandle: UInt16 { (attributes.last?.handle ?? 0) + 1 }

  @discardableResult
  mutating func add(_ type: BluetoothUUID, _ value: [UInt8]) -> UInt16 {
    attributes.append(Attribute(handle: nextHandle, type: type, value: value))
    return attributes.last?.handle ?? 0
  }

  @discardableResult
  mutating func service(_ uuid: BluetoothUUID, isPrimary: Bool = true) -> UInt16 {
    add(BluetoothUUID(UInt16(isPrimary ? 0x2800 : 0x2801)), Self.bytes(uuid))
  }

  /// - Returns: The value's handle.
  @discardableResult
  mutating func characteristic(
    _ uuid: BluetoothUUID,
    _ properties: CharacteristicProperties,
    value: [UInt8] = [],
    descriptors: [UInt16] = []
  ) -> UInt16 {
    let valueHandle = nextHandle + 1
    var declaration = [UInt8(truncatingIfNeeded: properties.rawValue)]
    declaration += [UInt8(truncatingIfNeeded: valueHandle), UInt8(valueHandle >> 8)]
    add(BluetoothUUID(UInt16(0x2803)), declaration + Self.bytes(uuid))
    add(uuid, value)
    for descriptor in descriptors { add(BluetoothUUID(descriptor), [0, 0]) }
    return valueHandle
  }

  static func bytes(_ uuid: BluetoothUUID) -> [UInt8] {
    var writer = ByteWriter()
    uuid.writeATT(to: &writer)
    return writer.bytes
  }

  // MARK: Answering

  mutating func answer(_ pdu: [UInt8]) -> [UInt8] {
    asked.append(pdu)
    if let refusal = refuse(pdu) { return refusal }
    guard let request = try? ATTPDU(bytes: pdu) else { return [] }
    switch request {
    case .exchangeMTURequest(let request):
      mtu = min(ownMTU, Int(request.mtu))
      return ATTExchangeMTUResponse(mtu: UInt16(ownMTU)).bytes
    case .readByGroupTypeRequest(let request): return groups(request)
    case .readByTypeRequest(let request): return values(request)
    case .findInformationRequest(let request): return information(request)
    case .readRequest(let request): return read(request.handle, 0, .readRequest)
    case .readBlobRequest(let request): return read(request.handle, Int(request.offset), .readBlobRequest)
    case .writeRequest(let request):
      guard let index = attributes.firstIndex(where: { $0.handle == request.handle.rawValue }) else {
        return error(.writeRequest, request.handle, .invalidHandle)
      }
      attributes[index].value = request.value
      return ATTWriteResponse().bytes
    default: return error(request.opcode, AttributeHandle(0), .requestNotSupported)
    }
  }

  func error(_ request: ATTOpcode, _ handle: AttributeHandle, _ code: ATTErrorCode) -> [UInt8] {
    ATTErrorResponse(request: request, handle: handle, code: code).bytes
  }

  private func end(of index: Int) -> UInt16 {
    let isService = { (attribute: Attribute) in [0x2800, 0x2801].contains(attribute.type.uint16 ?? 0) }
    if let next = attributes[(index + 1)...].first(where: isService) { return next.handle - 1 }
    return isOpenEnded ? 0xFFFF : attributes.last?.handle ?? 0
  }

  private func groups(_ request: ATTReadByGroupTypeRequest) -> [UInt8] {
    var records: [ATTReadByGroupTypeResponse.Record] = []
    for (index, attribute) in attributes.enumerated() where attribute.type == request.type {
      guard attribute.handle >= request.start.rawValue, attribute.handle <= request.end.rawValue else { continue }
      guard records.first.map({ $0.value.count == attribute.value.count }) ?? true else { break }
      guard 2 + (records.count + 1) * (attribute.value.count + 4) <= mtu else { break }
      records.append(
        .init(
          handle: AttributeHandle(attribute.handle),
          groupEnd: AttributeHandle(end(of: index)),
          value: attribute.value
        )
      )
    }
    if records.isEmpty { return error(.readByGroupTypeRequest, request.start, .attributeNotFound) }
    return ATTReadByGroupTypeResponse(records: records).bytes
  }

  private func values(_ request: ATTReadByTypeRequest) -> [UInt8] {
    var records: [ATTReadByTypeResponse.Record] = []
    for attribute in attributes where attribute.type == request.type {
      guard attribute.handle >= request.start.rawValue, attribute.handle <= request.end.rawValue else { continue }
      guard records.first.map({ $0.value.count == attribute.value.count }) ?? true else { break }
      guard 2 + (records.count + 1) * (attribute.value.count + 2) <= mtu else { break }
      records.append(.init(handle: AttributeHandle(attribute.handle), value: attribute.value))
    }
    if records.isEmpty { return error(.readByTypeRequest, request.start, .attributeNotFound) }
    return ATTReadByTypeResponse(records: records).bytes
  }

  private func information(_ request: ATTFindInformationRequest) -> [UInt8] {
    var records: [ATTFindInformationResponse.Record] = []
    for attribute in attributes {
      guard attribute.handle >= request.start.rawValue, attribute.handle <= request.end.rawValue else { continue }
      let length = attribute.type.attByteCount
      guard records.first.map({ $0.uuid.attByteCount == length }) ?? true else { break }
      guard 2 + (records.count + 1) * (length + 2) <= mtu else { break }
      records.append(.init(handle: AttributeHandle(attribute.handle), uuid: attribute.type))
    }
    guard let first = records.first else { return error(.findInformationRequest, request.start, .attributeNotFound) }
    return ATTFindInformationResponse(format: first.uuid.attByteCount == 2 ? .short : .long, records: records).bytes
  }

  private func read(_ handle: AttributeHandle, _ offset: Int, _ request: ATTOpcode) -> [UInt8] {
    guard let attribute = attributes.first(where: { $0.handle == handle.rawValue }) else {
      return error(request, handle, .invalidHandle)
    }
    guard offset <= attribute.value.count else { return error(request, handle, .invalidOffset) }
    let part = Array(attribute.value.dropFirst(offset).prefix(mtu - 1))
    return offset == 0 && request == .readRequest
      ? ATTReadResponse(value: part).bytes : ATTReadBlobResponse(value: part).bytes
  }

  // MARK: The table that discovery is measured by

  static func uuid(_ number: Int) -> BluetoothUUID {
    BluetoothUUID(high: 0x1234_0000_0000_4000 | UInt64(number) << 32, low: 0x8000_1122_3344_5566)
  }

  /// GAP, GATT, and 5 services of 4 characteristics with 128-bit UUIDs and configurations.
  static func fiveTimesFour(isOpenEnded: Bool = false) -> TestServer {
    var server = TestServer()
    server.isOpenEnded = isOpenEnded
    server.service(BluetoothUUID(UInt16(0x1800)))
    server.characteristic(BluetoothUUID(UInt16(0x2A00)), .read)
    server.characteristic(BluetoothUUID(UInt16(0x2A01)), .read)
    server.service(BluetoothUUID(UInt16(0x1801)))
    server.characteristic(BluetoothUUID(UInt16(0x2A05)), .indicate, descriptors: [0x2902])
    for service in 0..<5 {
      server.service(uuid(service * 0x100))
      for characteristic in 1...4 {
        server.characteristic(uuid(service * 0x100 + characteristic), [.read, .notify], descriptors: [0x2902])
      }
    }
    return server
  }
}
