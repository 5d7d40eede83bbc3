import Halcyon

// The peripheral's flow: make the manager, set up services, advertise, answer.
extension Walkthrough {
  // readme: begin
  /// Steps 1, 2 and 4: the server with all that it answers. `start()` publishes both services, and advertises once they
  /// are there (step 3).
  static func makeServer(
    _ notebook: Notebook,
    clock: any Clock<Duration> = ContinuousClock(),
    radio: any Radio
  ) -> PeripheralServer {
    PeripheralServer(advertising: .init(name: "Notebook", services: ["FFE0", "FFE4"]), radio: radio) {
      Service("FFE0") {
        Notifying(.time) { subscriber in  // runs for each central from its subscription on, until it unsubscribes
          var seconds = 0
          while true {
            try await subscriber.send("\(seconds) s")  // waits where there is no room
            try await clock.sleep(for: .seconds(2))
            seconds += 2
          }
        }
        Readable(.note) { notebook.text }
        Writable(.note) { text in
          guard text.utf8.count <= 100 else { throw ATTError.invalidAttributeValueLength }
          notebook.text = text  // what later reads return
        }
        Described(.note, "what is written here can be read again")
      }
      Service("FFE4") {
        Readable(.title, value: "Notebook")
      }
    }
  }
  // readme: end
}
