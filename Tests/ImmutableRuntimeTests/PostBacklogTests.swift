import Foundation
import Testing

@testable import ImmutableData
@testable import ImmutableRuntime

// Optimized builds release an entry after its last use, which ends the post.
struct PostBacklogTests {
  @Test func `one client may have a quarter of the posts`() {
    let backlog = PostBacklog(posts: 8, bytes: 1_000)

    let greedy = (0..<3).map { _ in backlog.add(1, from: "greedy") }
    let others = (0..<6).map { backlog.add(1, from: "\($0)") }

    #expect(greedy.map { $0 != nil } == [true, true, false])
    #expect(others.allSatisfy { $0 != nil })
    #expect(backlog.add(1, from: "late") == nil)
    #expect(backlog.count == 8)
    withExtendedLifetime((greedy, others)) {}
  }

  @Test func `one client may have a quarter of the bytes`() {
    let backlog = PostBacklog(posts: 100, bytes: 1_000)

    let greedy = [200, 51, 50].map { backlog.add($0, from: "greedy") }
    let other = backlog.add(250, from: "other")

    #expect(greedy.map { $0 != nil } == [true, false, true])
    #expect(other != nil)
    withExtendedLifetime((greedy, other)) {}
  }

  @Test func `a post that has ended makes room`() {
    let backlog = PostBacklog(posts: 4, bytes: 4)
    var entry = backlog.add(1, from: "a")
    #expect(entry != nil)
    #expect(backlog.add(1, from: "a") == nil)

    entry = nil

    #expect(backlog.count == 0)
    #expect(backlog.add(1, from: "a") != nil)
  }

  @Test func `a client may always have one post, however large`() {
    let backlog = PostBacklog(posts: 3, bytes: 100)

    let large = backlog.add(60, from: "a")

    #expect(large != nil)
    #expect(backlog.add(1, from: "a") == nil)
    #expect(backlog.add(40, from: "b") != nil)
    withExtendedLifetime(large) {}
  }

  @Test func `a post that is larger than all posts may be is admitted alone`() {
    let backlog = PostBacklog(posts: 3, bytes: 100)

    let large = backlog.add(101, from: "a")

    #expect(large != nil)
    #expect(backlog.add(1, from: "b") == nil)
    withExtendedLifetime(large) {}
  }

  /// A server that ended could not write all that it had accepted.
  @Test func `there are no more posts than can be written in the time to end`() {
    let backlog = PostBacklog(posts: 10_000, bytes: 10_000)
    backlog.add(1, from: "a")?.run(5, for: .milliseconds(100))

    let greedy = (0..<100).map { _ in backlog.add(1, from: "a") }
    let others = (0..<100).map { backlog.add(1, from: "\($0)") }

    // All together have 8 s, and each client a quarter of that.
    let pace = 0.1 * (1 - pow(0.75, 5))
    #expect(greedy.filter { $0 != nil }.count == Int(2 / pace))
    #expect((greedy + others).filter { $0 != nil }.count == Int(8 / pace))
    #expect(backlog.count == Int(8 / pace))
    withExtendedLifetime((greedy, others)) {}
  }

  @Test func `each of a few clients may have a post however long the others take`() {
    let backlog = PostBacklog(posts: 100, bytes: 100)
    backlog.add(1, from: "a")?.run(50, for: .seconds(60))

    let posts = ["a", "a", "b", "c", "d", "e"].map { backlog.add(1, from: $0) }

    #expect(posts.map { $0 != nil } == [true, false, true, true, true, false])
    withExtendedLifetime(posts) {}
  }

  /// A post that was still being handled was lost when the server ended.
  @Test func `effects have not finished while a post is being handled`() async throws {
    let windows = try await FixtureApp().app.windows
    var entry = windows.allProducts[0].postBacklog.add(1, from: "a")

    let isFinished = await windows.finishEffects(within: .milliseconds(30))
    withExtendedLifetime(entry) {}
    entry = nil

    #expect(isFinished == false)
    #expect(await windows.finishEffects(within: .seconds(60)))
  }
}

extension BacklogEntry {
  /// Effects of the post run one after another.
  fileprivate func run(_ count: Int, for time: Duration) {
    for _ in 0..<count { self.didRun(for: time) }
  }
}
