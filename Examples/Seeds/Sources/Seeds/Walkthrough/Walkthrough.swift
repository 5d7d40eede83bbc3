import Halcyon
import Synchronization
import VirtualRadio

/// The walk-through of both roles, with Halcyon: a notebook that serves two services, and a central that finds it.
/// `Examples/Walkthrough` has the same for Apple's API.
enum Walkthrough {
  static func run(in world: World) async throws {
    let notebook = Notebook()
    let server = makeServer(notebook, clock: world.clock, radio: world.radio)
    try await server.start()
    let told = try await visit("Notebook", central: Central(radio: world.makeRadio()))
    print("the central was told:", told)
    print("the notebook says now:", notebook.text)
    await server.stop()
  }
}

/// What the peripheral keeps.
final class Notebook: Sendable {
  private let stored = Mutex("empty")

  var text: String {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

extension Characteristic where Value == String {
  /// The time, sent every two seconds to who listens.
  static var time: Self { .init("FFE1", in: "FFE0") }
  /// A text that can be read and written.
  static var note: Self { .init("FFE2", in: "FFE0") }
  /// Another one in the second service, with the same UUID, that can only be read.
  static var title: Self { .init("FFE2", in: "FFE4") }
}
