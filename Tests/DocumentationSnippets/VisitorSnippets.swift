import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableServer
import ImmutableUI

// docs/PRODUCTS.md, *Whose it is*.

struct Message: Hashable, Identifiable, Sendable {
  let id: String
  let author: Visitor
  let text: String
}

struct ChatState: StoreState {
  typealias Action = ChatAction

  var messages: [Message] = []
}

enum ChatAction: Sendable {
  case onTapSendButton(Message)
  case onTapDeleteButton(Message.ID, by: Visitor)
}

enum ChatReducer {
  @Sendable static func reduce(state: ChatState, action: ChatAction) throws -> ChatState {
    var state = state
    switch action {
    case .onTapSendButton(let message):
      state.messages.append(message)
    case .onTapDeleteButton(let id, by: let visitor):
      guard state.messages.contains(where: { $0.id == id && $0.author == visitor }) else {
        throw Refusal(.conflict, "Only its author can delete a message.")
      }
      state.messages.removeAll { $0.id == id }
    }
    return state
  }
}

struct ChatLocal: LocalState {
  private(set) var me: Visitor?

  static let parameters: [Parameter<Self>] = []

  mutating func resolve(in environment: WindowEnvironment) {
    self.me = environment.visitor
  }
}

struct Chat {
  static let text = Field.textarea("text", required: "Enter a message.", limit: 2_000)

  static let send = Form<ChatAction>("send", fields: .submission, .visitor, text) {
    id, author, text in
    .onTapSendButton(Message(id: id, author: author, text: text))
  }

  static let messageId = Field<Message.ID>.hidden("messageId")

  static let delete = Form<ChatAction>("delete", fields: messageId, .visitor) { id, visitor in
    .onTapDeleteButton(id, by: visitor)
  }
}

// docs/PRODUCTS.md, *Side effects*.

@MainActor final class ChatListener: EffectListener<ChatState, ChatAction> {
  private let save: @Sendable ([Message]) async throws -> Void

  init(lanes: EffectLanes, save: @escaping @Sendable ([Message]) async throws -> Void) {
    self.save = save
    super.init(lanes: lanes, label: "Chat")
  }

  override func effects(
    _ oldState: ChatState,
    _ newState: () -> ChatState,
    _ action: ChatAction
  ) -> [Effect] {
    let (save, messages) = (self.save, newState().messages)
    return [
      Effect("chat.save", lane: "chat.save") { _, _ in try await save(messages) }
    ]
  }
}

func keepSessions(_ configuration: inout WebServerConfiguration) throws {
  try configuration.keepSessions(in: URL(filePath: "data/session.key"))
}
