#if !os(tvOS) && !os(watchOS)
  import BluetoothTypes
  import CoreBluetooth
  import RadioPort

  /// What the radio keeps for the peripheral role.
  struct Serving {
    /// One owner.
    struct Server {
      let events: @Sendable (ServerEvent) -> Void
      /// Whether an update of the owner's was refused for want of room.
      var waitsForRoom = false
    }

    var manager: CBPeripheralManager?
    var delegate: PeripheralEvents?
    /// Whether the framework was on before, and may still have what it was told then.
    var wasOn = false
    var servers: [ServerID: Server] = [:]
    /// In the order in which they were published.
    var publications: [Publication] = []
    /// What the framework was told to add and has not answered: one at a time, as a service may include those before it.
    var adding: CBMutableService?
    var handles = HandleSpace()
    var characteristics: [AttributeHandle: ServedCharacteristic] = [:]
    /// The same by the framework's objects.
    var objects: [ObjectIdentifier: ServedCharacteristic] = [:]
    var centrals: [PeerID: ServedCentral] = [:]
    var requests: [ServerRequestID: OpenRequest] = [:]
    var advertising = Advertising()
    /// In the order in which they were published.
    var listeners: [ChannelListener] = []
    /// For which of them the framework was asked for a PSM and has not answered.
    var publishing: ChannelListenerID?
    /// What is to be taken back when the framework takes commands again.
    var unpublished: [L2CAPPSM] = []

    var sortedServers: [ServerID] { servers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  /// The numbers that the radio gives to attributes, as the framework hides the handles.
  struct HandleSpace {
    private var taken: [ClosedRange<Int>] = []
    private var last = 0

    /// Takes `count` numbers in a row, behind those that were given last as long as there are such; `nil` if there is no
    /// such row.
    mutating func reserve(_ count: Int) -> ClosedRange<Int>? {
      let starts = [last + 1, 1] + taken.map { $0.upperBound + 1 }
      for start in starts where start + count - 1 <= Int(UInt16.max) {
        let range = start...(start + count - 1)
        if taken.contains(where: { $0.overlaps(range) }) { continue }
        taken.append(range)
        last = range.upperBound
        return range
      }
      return nil
    }

    mutating func release(_ range: ClosedRange<Int>) { taken.removeAll { $0 == range } }
  }

  /// A central that uses the services, as far as the framework lets it be known. It belongs to the radio and is used on
  /// its executor only.
  final class ServedCentral {
    let link: LinkID
    var object: CBCentral
    var mtu: Int
    /// When it has last asked for something.
    var lastSeen: RadioInstant
    /// Fires when it may be gone.
    var timer: RadioTimer?
    /// The value of which it reads one part after the other, so that all parts are of one whole.
    var longRead: (handle: AttributeHandle, value: [UInt8])?

    init(_ link: LinkID, _ object: CBCentral, mtu: Int, now: RadioInstant) {
      self.link = link
      self.object = object
      self.mtu = mtu
      lastSeen = now
    }
  }

  /// A request that waits for its owner.
  struct OpenRequest {
    enum Work {
      case read(CBATTRequest, AttributeHandle)
      case write(WriteJob)
    }

    let server: ServerID
    let link: LinkID
    let work: Work

    /// What it is about.
    var attributes: Set<AttributeHandle> {
      switch work {
      case .read(_, let handle): [handle]
      case .write(let job): job.attributes
      }
    }

    /// What the framework is to be given the answer with.
    var asked: CBATTRequest {
      switch work {
      case .read(let request, _): request
      case .write(let job): job.first
      }
    }
  }

  /// What is left to do of values that are written as one.
  struct WriteJob {
    struct Group {
      let server: ServerID
      var parts: [WriteRequest.Part]
    }

    let link: LinkID
    /// The framework takes one answer for all, with the first.
    let first: CBATTRequest
    var attributes: Set<AttributeHandle> = []
    /// What owners are asked for, one owner after the other.
    var groups: [Group] = []
    /// What the radio keeps; changed when all owners have agreed.
    var stored: [(handle: AttributeHandle, value: [UInt8])] = []
    var wantsResponse = false

    mutating func add(_ part: WriteRequest.Part, of server: ServerID) {
      if let index = groups.firstIndex(where: { $0.server == server }) {
        groups[index].parts.append(part)
      } else {
        groups.append(Group(server: server, parts: [part]))
      }
    }
  }
#endif
