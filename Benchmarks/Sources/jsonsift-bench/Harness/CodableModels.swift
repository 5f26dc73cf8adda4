struct Twitter: Codable, Equatable {
  var statuses: [Status]
  var search_metadata: Metadata

  struct Metadata: Codable, Equatable {
    var completed_in: Double, max_id: Int, max_id_str: String, next_results: String, query: String, refresh_url: String
    var count: Int, since_id: Int, since_id_str: String
  }

  final class Status: Codable, Equatable {
    struct About: Codable, Equatable { var result_type: String, iso_language_code: String }
    let metadata: About
    let created_at: String, id: Int, id_str: String, text: String, source: String, truncated: Bool
    let in_reply_to_status_id: Int?, in_reply_to_status_id_str: String?, in_reply_to_user_id: Int?
    let in_reply_to_user_id_str: String?, in_reply_to_screen_name: String?
    let user: User
    let geo: String?, coordinates: String?, place: String?, contributors: String?
    let retweet_count: Int, favorite_count: Int
    let entities: Entities
    let favorited: Bool, retweeted: Bool, lang: String
    let retweeted_status: Status?
    let possibly_sensitive: Bool?

    static func == (left: Status, right: Status) -> Bool {
      left.id == right.id && left.text == right.text && left.user == right.user && left.entities == right.entities
        && left.retweeted_status == right.retweeted_status
    }
  }

  struct User: Codable, Equatable {
    var id: Int, id_str: String, name: String, screen_name: String, location: String, description: String, url: String?
    var entities: UserEntities
    var protected: Bool, followers_count: Int, friends_count: Int, listed_count: Int, created_at: String
    var favourites_count: Int, utc_offset: Int?, time_zone: String?, geo_enabled: Bool, verified: Bool
    var statuses_count: Int, lang: String, contributors_enabled: Bool, is_translator: Bool, is_translation_enabled: Bool
    var profile_background_color: String, profile_background_image_url: String
    var profile_background_image_url_https: String, profile_background_tile: Bool, profile_image_url: String
    var profile_image_url_https: String, profile_banner_url: String?, profile_link_color: String
    var profile_sidebar_border_color: String, profile_sidebar_fill_color: String, profile_text_color: String
    var profile_use_background_image: Bool, default_profile: Bool, default_profile_image: Bool, following: Bool
    var follow_request_sent: Bool, notifications: Bool
  }

  struct UserEntities: Codable, Equatable {
    struct Links: Codable, Equatable { var urls: [Link] }
    var description: Links, url: Links?
  }

  struct Link: Codable, Equatable { var url: String, expanded_url: String, display_url: String, indices: [Int] }

  struct Entities: Codable, Equatable {
    struct Hashtag: Codable, Equatable { var text: String, indices: [Int] }
    struct Mention: Codable, Equatable {
      var screen_name: String, name: String, id: Int, id_str: String, indices: [Int]
    }
    struct Size: Codable, Equatable { var w: Int, h: Int, resize: String }
    struct Sizes: Codable, Equatable { var medium: Size, small: Size, thumb: Size, large: Size }
    struct Media: Codable, Equatable {
      var id: Int, id_str: String, indices: [Int], media_url: String, media_url_https: String, url: String
      var display_url: String, expanded_url: String, type: String, sizes: Sizes, source_status_id: Int?
      var source_status_id_str: String?
    }
    var hashtags: [Hashtag], symbols: [String], urls: [Link], user_mentions: [Mention], media: [Media]?
  }
}

struct Catalog: Codable, Equatable {
  struct Event: Codable, Equatable {
    var description: String?, id: Int, logo: String?, name: String, subTopicIds: [Int], subjectCode: String?
    var subtitle: String?, topicIds: [Int]
  }
  struct Price: Codable, Equatable { var amount: Int, audienceSubCategoryId: Int, seatCategoryId: Int }
  struct Area: Codable, Equatable { var areaId: Int, blockIds: [Int] }
  struct SeatCategory: Codable, Equatable { var areas: [Area], seatCategoryId: Int }
  struct Performance: Codable, Equatable {
    var eventId: Int, id: Int, logo: String?, name: String?, prices: [Price], seatCategories: [SeatCategory]
    var seatMapImage: String?, start: Int, venueCode: String
  }
  var areaNames: [String: String], audienceSubCategoryNames: [String: String], blockNames: [String: String]
  var events: [String: Event], performances: [Performance], seatCategoryNames: [String: String]
  var subTopicNames: [String: String], subjectNames: [String: String], topicNames: [String: String]
  var topicSubTopics: [String: [Int]], venueNames: [String: String]
}

struct Canada: Codable, Equatable {
  struct Feature: Codable, Equatable {
    struct Properties: Codable, Equatable { var name: String }
    struct Geometry: Codable, Equatable { var type: String, coordinates: [[[Double]]] }
    var type: String, properties: Properties, geometry: Geometry
  }
  var type: String, features: [Feature]
}

/// Five fields of a ``WideRecords`` record.
struct Narrow: Codable, Equatable {
  var f03: Int, f11: String, f20: Double, f29: Bool, f37: Int
}

/// Records of 40 fields, and what the sum of two of them is.
struct WideRecords {
  private(set) var bytes: [UInt8] = []
  private(set) var records = 0
  private(set) var sum = 0

  init(bytes wanted: Int) {
    bytes.reserveCapacity(wanted + 2048)
    var seed: UInt64 = 7
    func next(_ count: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % count)
    }
    while bytes.count < wanted {
      var line = "{"
      for field in 0..<40 {
        if field > 0 { line += "," }
        line += "\"f" + (field < 10 ? "0" : "") + "\(field)\":"
        switch field % 5 {
        case 0: line += "\(next(1000)).\(next(90) + 10)"
        case 1: line += "\"value \(next(1_000_000)) of field\""
        case 4: line += field == 29 || next(2) == 0 ? "true" : "false"
        default:
          let value = next(1_000_000)
          if field == 3 || field == 37 { sum += value }
          line += "\(value)"
        }
      }
      bytes.append(contentsOf: (line + "}\n").utf8)
      records += 1
    }
  }
}
