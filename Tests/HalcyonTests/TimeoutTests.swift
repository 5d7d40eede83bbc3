import Halcyon
import Testing

@Suite("A time limit")
struct TimeoutTests {
  @Test("tells what it is")
  func description() {
    #expect("\(Timeout.default)" == "default")
    #expect("\(Timeout.never)" == "never")
    #expect("\(Timeout.milliseconds(2500))" == "2.5 seconds")
  }
}
