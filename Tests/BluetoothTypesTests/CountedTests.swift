import BluetoothTypes
import Testing

@Suite("A number with what it counts")
struct CountedTests {
  @Test("one thing is told in the singular, all other numbers in the plural")
  func numbers() {
    #expect(counted(0, "byte") == "0 bytes")
    #expect(counted(1, "byte") == "1 byte")
    #expect(counted(2, "byte") == "2 bytes")
    #expect(counted(UInt8(255), "credit") == "255 credits")
  }
}
