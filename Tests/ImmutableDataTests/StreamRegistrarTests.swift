import Testing

@testable import ImmutableData

@MainActor struct StreamRegistrarTests {
  private let registrar = StreamRegistrar<Int>()

  @Test func `a stream whose last copy is released is forgotten`() {
    do {
      let stream = self.registrar.makeStream()
      #expect(self.registrar.streamCount == 1)
      _ = stream
    }

    #expect(self.registrar.streamCount == 0)
  }

  @Test func `a stream whose reader is cancelled is forgotten`() async {
    let stream = self.registrar.makeStream()
    let task = Task {
      for await _ in stream {}
    }
    task.cancel()
    await task.value

    #expect(self.registrar.streamCount == 0)
  }

  @Test func `streams end with their registrar`() async {
    var registrar: StreamRegistrar<Int>? = StreamRegistrar()
    let stream = registrar?.makeStream()
    registrar?.yield(1)
    registrar = nil

    var elements: [Int] = []
    if let stream {
      for await element in stream { elements.append(element) }
    }

    #expect(elements == [1])
  }

  @Test func `a waiting reader gets every element`() async {
    let stream = self.registrar.makeStream()
    let reader = Task {
      var sum = 0
      for await element in stream {
        sum += element
        if sum == 5_050 { break }
      }
      return sum
    }

    for element in 1...100 {
      await Task.yield()
      self.registrar.yield(element)
    }

    #expect(await reader.value == 5_050)
  }
}
