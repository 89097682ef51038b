/// A place near which earthquakes happen in a ``SampleFeed``.
struct SampleZone: Sendable {
  /// The name that the USGS uses.
  let place: String
  let latitude: Double
  let longitude: Double
  /// The relative frequency of earthquakes there.
  let weight: Double
  /// The minimum magnitude. With few instruments, only strong earthquakes are noticed.
  let leastMagnitude: Double
  /// The usual maximum depth, in kilometers.
  let depth: Double

  private init(
    _ place: String,
    _ latitude: Double,
    _ longitude: Double,
    _ weight: Double,
    least leastMagnitude: Double,
    depth: Double
  ) {
    self.place = place
    self.latitude = latitude
    self.longitude = longitude
    self.weight = weight
    self.leastMagnitude = leastMagnitude
    self.depth = depth
  }

  /// Places with a dense network of instruments.
  private static func dense(
    _ place: String,
    _ latitude: Double,
    _ longitude: Double,
    _ weight: Double,
    least: Double = 0.1,
    depth: Double = 15
  ) -> Self {
    Self(place, latitude, longitude, weight, least: least, depth: depth)
  }

  /// Places where only the global network notices earthquakes.
  private static func sparse(
    _ place: String,
    _ latitude: Double,
    _ longitude: Double,
    _ weight: Double,
    least: Double = 4,
    depth: Double = 70
  ) -> Self {
    Self(place, latitude, longitude, weight, least: least, depth: depth)
  }

  static let all: [Self] = [
    .dense("Anza, CA", 33.556, -116.674, 9),
    .dense("Aguanga, CA", 33.443, -116.865, 6),
    .dense("Borrego Springs, CA", 33.256, -116.375, 5),
    .dense("Castaic, CA", 34.489, -118.623, 3),
    .dense("Cobb, CA", 38.822, -122.723, 6),
    .dense("Ferndale, CA", 40.576, -124.263, 3, least: 1, depth: 25),
    .dense("Hollister, CA", 36.853, -121.402, 4),
    .dense("Idyllwild, CA", 33.741, -116.719, 4),
    .dense("Mammoth Lakes, CA", 37.649, -118.972, 5),
    .dense("Pāhala, Hawaii", 19.202, -155.478, 8, least: 1, depth: 35),
    .dense("Parkfield, CA", 35.9, -120.433, 3),
    .dense("Ridgecrest, CA", 35.622, -117.671, 6),
    .dense("San Juan Bautista, CA", 36.846, -121.538, 3),
    .dense("The Geysers, CA", 38.775, -122.758, 9),
    .dense("Volcano, Hawaii", 19.43, -155.236, 4, least: 0.8, depth: 10),
    .dense("Yucaipa, CA", 34.034, -117.043, 3),
    .dense("Bridgeport, California", 38.256, -119.231, 2, least: 0.3),
    .dense("Challis, Idaho", 44.505, -114.232, 1, least: 1),
    .dense("Hawthorne, Nevada", 38.525, -118.625, 3, least: 0.2),
    .dense("Magna, Utah", 40.709, -112.102, 1.5, least: 0.3),
    .dense("Mentone, Texas", 31.705, -103.599, 4, least: 1.2, depth: 8),
    .dense("Mount St. Helens, Washington", 46.191, -122.196, 1.5, depth: 8),
    .dense("New Madrid, Missouri", 36.586, -89.528, 1, least: 1),
    .dense("Pawnee, Oklahoma", 36.338, -96.804, 1.5, least: 1.5, depth: 8),
    .dense("West Yellowstone, Montana", 44.662, -111.104, 3, least: 0.2, depth: 10),
    .dense("Adak, Alaska", 51.88, -176.658, 3, least: 1.2, depth: 60),
    .dense("Cantwell, Alaska", 63.392, -148.951, 6, least: 0.9, depth: 110),
    .dense("Chignik, Alaska", 56.295, -158.403, 2, least: 1.5, depth: 50),
    .dense("Healy, Alaska", 63.857, -148.966, 5, least: 0.9, depth: 120),
    .dense("Old Iliamna, Alaska", 59.755, -154.821, 5, least: 1.1, depth: 150),
    .dense("Sand Point, Alaska", 55.34, -160.497, 3, least: 1.5, depth: 40),
    .dense("Sutton-Alpine, Alaska", 61.694, -148.895, 4, least: 0.9, depth: 60),
    .dense("Talkeetna, Alaska", 62.324, -150.109, 4, least: 0.9, depth: 90),
    .dense("Indios, Puerto Rico", 17.995, -66.817, 4, least: 1.7, depth: 20),
    .dense("Maunabo, Puerto Rico", 18.007, -65.899, 2, least: 1.8, depth: 40),
    .dense("Cruz Bay, U.S. Virgin Islands", 18.331, -64.793, 2, least: 2, depth: 50),
    .sparse("San José, Costa Rica", 9.934, -84.088, 0.3, least: 3.8),
    .sparse("Nicoya, Costa Rica", 10.148, -85.452, 0.3, least: 3.8),
    .sparse("Puerto San José, Guatemala", 13.926, -90.821, 0.5),
    .sparse("Acajutla, El Salvador", 13.593, -89.828, 0.4),
    .sparse("Pijijiapan, Mexico", 15.687, -93.209, 0.6),
    .sparse("San Pedro Pochutla, Mexico", 15.747, -96.467, 0.5),
    .sparse("Coquimbo, Chile", -29.953, -71.344, 0.6),
    .sparse("Calama, Chile", -22.456, -68.924, 0.6, depth: 130),
    .sparse("Valparaíso, Chile", -33.036, -71.63, 0.4),
    .sparse("San Antonio de los Cobres, Argentina", -24.226, -66.319, 0.4, depth: 210),
    .sparse("Camaná, Peru", -16.625, -72.711, 0.4),
    .sparse("Muisne, Ecuador", 0.612, -80.018, 0.4),
    .sparse("Reykjanesbær, Iceland", 63.999, -22.561, 0.2, least: 3.5, depth: 10),
    .sparse("Ponta Delgada, Portugal", 37.74, -25.669, 0.1, depth: 10),
    .sparse("Amatrice, Italy", 42.628, 13.289, 0.2, least: 3, depth: 12),
    .sparse("Lixoúri, Greece", 38.201, 20.437, 0.3, least: 3.5, depth: 20),
    .sparse("Kahramanmaraş, Turkey", 37.585, 36.937, 0.5, least: 3.5, depth: 12),
    .sparse("Bandar-e Lengeh, Iran", 26.558, 54.881, 0.3, depth: 12),
    .sparse("Jarm, Afghanistan", 36.863, 70.834, 0.7, depth: 210),
    .sparse("Murghob, Tajikistan", 38.17, 73.965, 0.4, depth: 120),
    .sparse("Yilan, Taiwan", 24.757, 121.753, 0.5, depth: 40),
    .sparse("Hualien City, Taiwan", 23.977, 121.604, 0.6, depth: 25),
    .sparse("Ishinomaki, Japan", 38.417, 141.3, 0.8),
    .sparse("Naze, Japan", 28.367, 129.483, 0.5),
    .sparse("Kushiro, Japan", 42.975, 144.375, 0.5),
    .sparse("Severo-Kuril’sk, Russia", 50.679, 156.125, 0.5),
    .sparse("Petropavlovsk-Kamchatsky, Russia", 53.045, 158.651, 0.5),
    .sparse("Hinatuan, Philippines", 8.366, 126.338, 0.7),
    .sparse("Sarangani, Philippines", 5.403, 125.464, 0.6, depth: 100),
    .sparse("Ternate, Indonesia", 0.791, 127.384, 0.7),
    .sparse("Kupang, Indonesia", -10.172, 123.607, 0.5),
    .sparse("Bengkulu, Indonesia", -3.8, 102.267, 0.5),
    .sparse("Saumlaki, Indonesia", -7.983, 131.304, 0.5, depth: 140),
    .sparse("Kokopo, Papua New Guinea", -4.352, 152.268, 0.6),
    .sparse("Panguna, Papua New Guinea", -6.316, 155.486, 0.5),
    .sparse("Kirakira, Solomon Islands", -10.454, 161.921, 0.5),
    .sparse("Isangel, Vanuatu", -19.547, 169.281, 0.6),
    .sparse("Tadine, New Caledonia", -21.554, 167.884, 0.5, depth: 20),
    .sparse("Ndoi Island, Fiji", -20.658, -178.717, 1.2, depth: 550),
    .sparse("Nuku‘alofa, Tonga", -21.135, -175.198, 0.7),
    .sparse("Hihifo, Tonga", -15.951, -173.775, 0.6),
    .sparse("Raoul Island, New Zealand", -29.267, -177.917, 0.6),
    .sparse("Grytviken, South Georgia and the South Sandwich Islands", -54.283, -36.508, 0.3),
    .sparse("Visokoi Island, South Georgia and the South Sandwich Islands", -56.7, -27.2, 0.6),
    .sparse("Macquarie Island, Australia", -54.5, 158.95, 0.2, depth: 10),
  ]

  /// The cumulative weights of ``all``.
  static let ends: [Double] = Self.all.reduce(into: []) { ends, zone in
    ends.append((ends.last ?? 0) + zone.weight)
  }
}
