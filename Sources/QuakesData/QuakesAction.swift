/// What can happen to the earthquakes.
///
/// Source: the guide, chapter QuakesData, section QuakesAction.
public enum QuakesAction: Codable, Hashable, Sendable {
  /// Somebody did something in a window.
  case ui(_ action: UI)
  /// Somewhere that keeps data has answered.
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
    /// Beyond the guide: an earthquake that was deleted is to come back.
    case onTapRestoreQuakeButton(_ quake: Quake)
    /// Beyond the guide: all that were deleted at once are to come back.
    ///
    /// - Parameter deletion: The number of the deletion, which has to be the newest.
    case onTapRestoreQuakesButton(deletion: Int)
    /// Beyond the guide: nobody waits for the refresh that is under way any more.
    case onTapCancelRefreshButton
    /// Beyond the guide: earthquakes that did not happen, for whoever has no network.
    case onTapLoadSampleButton

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

    /// The quakes that there are, or why nobody knows.
    public enum FetchQuakesResult: Codable, Hashable, Sendable {
      case success(quakes: [Quake])
      case failure(error: String)
    }
  }
}

extension QuakesAction.Data.PersistentSession {
  public enum LocalStore: Codable, Hashable, Sendable {
    public typealias FetchQuakesResult = QuakesAction.Data.PersistentSession.FetchQuakesResult

    case didFetchQuakes(result: FetchQuakesResult)
    /// Beyond the guide: what a refresh has changed could not be saved. The state keeps it, and the
    /// next refresh saves it too.
    case didFailToSaveQuakes(error: String)
    /// Beyond the guide: what the state has already deleted could not be. The store is read again
    /// next, for what has to come back.
    case didFailToDeleteQuakes(error: String)
    /// Beyond the guide: the store was read again.
    case didFetchQuakesAgain(
      /// Why a delete failed, if that is why it was read.
      error: String?,
      /// What the store has.
      result: FetchQuakesResult
    )
    /// Beyond the guide: others have written to the store.
    case didChangeElsewhere(saved: [Quake], deleted: [Quake.ID])
  }

  public enum RemoteStore: Codable, Hashable, Sendable {
    public typealias FetchQuakesResult = QuakesAction.Data.PersistentSession.FetchQuakesResult

    case didFetchQuakes(result: FetchQuakesResult)
    /// Beyond the guide: some features of the feed, whose quakes come with the next action, could not
    /// be read. An action of its own, so that the result stays that of the guide.
    case didSkipFeatures(count: Int)
  }
}
