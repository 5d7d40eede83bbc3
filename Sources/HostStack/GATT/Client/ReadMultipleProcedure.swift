import BluetoothTypes
import RadioPort

/// Reads several values whole: all in one request where the peer knows that, and what is left one by one (Core 5.4, Vol
/// 3, Part G, 4.8.4 and 4.8.5).
struct ReadMultipleProcedure: Sendable {
  private enum State: Sendable {
    /// These were asked for, with the lengths that come with them.
    case variable(Range<Int>)
    /// These were asked for; their lengths are known.
    case fixed(Range<Int>)
    /// One that the others left over.
    case single(Int, ReadProcedure)
  }

  let handles: [AttributeHandle]
  private let lengths: [Int]?
  private var values: [[UInt8]?]
  private var state = State.variable(0..<0)
  /// Where the next request for several begins.
  private var next = 0
  /// Whether the peer does not know requests for several.
  private var isSingle = false

  /// - Parameter lengths: How long the values are; counts only if there is one for each.
  init(handles: [AttributeHandle], lengths: [Int]?) {
    self.handles = handles
    self.lengths = lengths?.count == handles.count ? lengths : nil
    values = Array(repeating: nil, count: handles.count)
  }

  mutating func start(mtu: Int) -> ClientStep { proceed(mtu: mtu) }

  mutating func receive(_ reply: ClientReply, mtu: Int) -> ClientStep {
    switch (state, reply) {
    case (.single(let index, var read), _):
      switch read.receive(reply, mtu: mtu) {
      case .finish(.value(let value)):
        values[index] = value
        return proceed(mtu: mtu)
      case let step:
        state = .single(index, read)
        return step
      }
    case (.variable, .error(let error)), (.fixed, .error(let error)):
      guard error.code == .requestNotSupported else {
        return .fail(.att(error, "the read", handle: error.handle))
      }
      isSingle = true
      return proceed(mtu: mtu)
    case (.variable(let range), .response(let frame)):
      do throws(ByteError) {
        let response = try ATTReadMultipleVariableResponse(frame: frame)
        guard response.values.count <= range.count else {
          return .fail(
            .violation(
              "the peer sent \(counted(response.values.count, "value")) where \(range.count) were asked for"
            )
          )
        }
        for (index, value) in zip(range, response.values) where value.length == value.bytes.count {
          values[index] = value.bytes
        }
      } catch {
        return .fail(.unreadable(.readMultipleVariableResponse, error))
      }
      return proceed(mtu: mtu)
    case (.fixed(let range), .response(let frame)):
      var rest = frame.payload(dropping: 1)
      guard let lengths, rest.count == lengths[range].reduce(0, +) else {
        return .fail(
          .violation(
            "the peer's values have \(counted(rest.count, "byte")) together, which is not what was to come"
          )
        )
      }
      for index in range {
        values[index] = Array(rest.prefix(lengths[index]))
        rest = rest.dropFirst(lengths[index])
      }
      return proceed(mtu: mtu)
    }
  }

  private mutating func proceed(mtu: Int) -> ClientStep {
    if !isSingle, let step = nextGroup(mtu: mtu) { return step }
    guard let index = values.firstIndex(where: { $0 == nil }) else {
      return .finish(.values(values.compactMap { $0 }))
    }
    var read = ReadProcedure(handle: handles[index])
    let step = read.start(mtu: mtu)
    state = .single(index, read)
    return step
  }

  /// Asks for as many as fit into a request and, if their lengths are known, into its response.
  private mutating func nextGroup(mtu: Int) -> ClientStep? {
    var end = min(handles.count, next + (mtu - 1) / 2)
    if let lengths {
      var room = mtu - 1
      var index = next
      while index < end, lengths[index] >= 0, lengths[index] <= room {
        room -= lengths[index]
        index += 1
      }
      end = index
    }
    let range = next..<end
    next = lengths == nil ? end : max(end, next + 1)
    // One alone is read as such.
    guard range.count > 1 else {
      return next < handles.count && lengths != nil ? nextGroup(mtu: mtu) : nil
    }
    let group = Array(handles[range])
    guard lengths != nil else {
      state = .variable(range)
      return .send(ATTReadMultipleVariableRequest(handles: group))
    }
    state = .fixed(range)
    return .send(ATTReadMultipleRequest(handles: group))
  }
}
