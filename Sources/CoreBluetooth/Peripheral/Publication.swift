import BluetoothTypes
import RadioPort

/// One stay of a service in the database, from the call that adds it to the one that removes it. The same object may be
/// added again before the radio has done either.
final class Publication: Sendable {
  enum State: Sendable {
    /// The radio has yet to publish it; and, if it was removed meanwhile, what is to be told when it is gone.
    case pending(unwanted: (@Sendable (Result<Void, RadioFailure>) -> Void)?)
    case published(AttributeHandle)
    /// It could not be published, or is withdrawn.
    case over
  }

  /// Where it stands; touched on the radio's executor only.
  let state = Guarded(State.pending(unwanted: nil))
  /// Where the values of the characteristics are; touched on the app's queue only.
  let values = Guarded<[AttributeHandle]>([])
  /// The characteristics as they were when it was added.
  let characteristics: Carried<[CBMutableCharacteristic]>
  /// The service as it was then, to be kept.
  let record: ServerRecord.Service
  /// What it included then; `nil` for a service that was given to no manager.
  let includes: [Publication?]

  var handle: AttributeHandle? { state.withLock { if case .published(let handle) = $0 { handle } else { nil } } }

  init(_ service: CBMutableService) {
    characteristics = Carried(service.mutableCharacteristics)
    record = ServerRecord.Service(service)
    includes = service.includedPublications
  }
}
