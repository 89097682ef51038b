public import Foundation

/// The events of the earthquakes.
///
/// Source: the guide, chapter QuakesData, section QuakesAction.
public enum QuakesAction: Codable, Hashable, Sendable {
  /// A user did something in a window.
  case ui(_ action: UI)
  /// A store has answered.
  case data(_ action: Data)

  public enum UI: Codable, Hashable, Sendable {
    case quakeList(_ action: QuakeList)
  }

  public enum Data: Codable, Hashable, Sendable {
    case persistentSession(_ action: PersistentSession)
  }
}

extension QuakesAction.UI {
  public enum QuakeList: Codable, Hashable, Sendable {
    case onAppear
    case onTapRefreshQuakesButton(range: RefreshQuakesRange)
    case onTapDeleteSelectedQuakeButton(quakeId: Quake.ID)
    case onTapDeleteAllQuakesButton
    /// Beyond the guide: a deleted earthquake is to be restored.
    case onTapRestoreQuakeButton(_ quake: Quake)
    /// Beyond the guide: all earthquakes that were deleted together are to be restored.
    ///
    /// - Parameter deletion: The number of the deletion, which must be the newest.
    case onTapRestoreQuakesButton(deletion: Int)
    /// Beyond the guide: the refresh in progress is no longer wanted.
    case onTapCancelRefreshButton
    /// Beyond the guide: fictional earthquakes, for use without a network.
    case onTapLoadSampleButton
    /// Beyond the guide: a failure was read and need no longer be shown in any window.
    case onTapDismissFailureButton

    /// How far back a refresh goes.
    public enum RefreshQuakesRange: Codable, Hashable, Sendable {
      case allHour
      case allDay
      case allWeek
      case allMonth
    }
  }
}

extension QuakesAction.Data {
  public enum PersistentSession: Codable, Hashable, Sendable {
    case localStore(_ action: LocalStore)
    case remoteStore(_ action: RemoteStore)
  }
}

extension QuakesAction.Data.PersistentSession {
  public enum LocalStore: Codable, Hashable, Sendable {
    case didFetchQuakes(result: FetchQuakesResult)
    /// Beyond the guide: the changes of a refresh could not be saved. The state keeps them, and the
    /// next refresh also saves them.
    case didFailToSaveQuakes(error: String)
    /// Beyond the guide: quakes that the state has already deleted could not be deleted from the
    /// store. The store is read again next, to restore them.
    case didFailToDeleteQuakes(error: String)
    /// Beyond the guide: the store was read again.
    case didFetchQuakesAgain(
      /// Why a deletion failed, if that was the reason for the read.
      error: String?,
      /// The content of the store.
      result: FetchQuakesResult
    )
    /// Beyond the guide: others have changed the store.
    case didChangeElsewhere(saved: [Quake], deleted: [Quake.ID])

    /// The stored quakes, or why they could not be read.
    public enum FetchQuakesResult: Codable, Hashable, Sendable {
      case success(quakes: [Quake])
      case failure(error: String)
    }
  }

  public enum RemoteStore: Codable, Hashable, Sendable {
    case didFetchQuakes(result: FetchQuakesResult)
    /// Beyond the guide: some features of the feed, whose quakes come with the next action, could
    /// not be read. It is a separate action, so that the result is the same as in the guide.
    case didSkipFeatures(count: Int)
    /// Beyond the guide: the state has everything that the feeds had at a time. Only a state that
    /// several servers share is told, once an hour.
    case didFetchEverything(until: Date)

    /// The quakes of the feed, or why they could not be fetched.
    public enum FetchQuakesResult: Codable, Hashable, Sendable {
      case success(quakes: [Quake])
      case failure(error: String)
    }
  }
}
