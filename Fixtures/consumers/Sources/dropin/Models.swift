import Foundation
import SwiftyJSON

/// The members that the client reads by key.
enum Field: String, JSONSubscriptType {
  case assignee, comments, labels, login, name, title

  var jsonKey: JSONKey { JSONKey.key(rawValue) }
}

struct User {
  let login: String
  let id: Int64
  let isAdmin: Bool

  init?(_ json: JSON) {
    guard let login = json[Field.login].string, let id = json["id"].int64 else { return nil }
    self.login = login
    self.id = id
    isAdmin = json["site_admin"].bool ?? false
  }
}

struct Issue {
  enum State: String {
    case open, closed
  }

  let id: UInt64
  let number: Int
  let title: String
  let state: State?
  let isLocked: Bool
  let comments: Int
  let effort: Double
  let page: URL?
  let closedAt: String?
  let assignee: User?
  let labels: [String]
  let colors: [String?]
  let hearts: Int

  init(_ json: JSON) {
    id = json["id"].uInt64Value
    number = json["number"].intValue
    title = json[Field.title].stringValue
    state = json["state"].string.flatMap(State.init(rawValue:))
    isLocked = json["locked"].boolValue
    comments = json[Field.comments].intValue
    effort = json["effort"].doubleValue
    page = json["html_url"].url
    closedAt = json["closed_at"].string
    assignee = User(json[Field.assignee])
    labels = json[Field.labels].arrayValue.map { $0[Field.name].stringValue }
    colors = json[Field.labels].array?.map { $0["color"].string } ?? []
    hearts = json["reactions", "heart"].intValue
  }

  var line: String {
    let who = assignee.map { "\($0.login) \($0.id)\($0.isAdmin ? " admin" : "")" } ?? "nobody"
    let what = "\(number) \(title) | \(state?.rawValue ?? "?") | locked \(isLocked) | \(comments) comments"
    let place = "effort \(effort) | \(page?.absoluteString ?? "no page") | \(closedAt ?? "not closed") | \(who)"
    return "\(what) | \(place) | \(labels) | \(colors.map { $0 ?? "-" }) | \(hearts) hearts | id \(id)"
  }
}

/// An event with a payload whose form depends on its kind.
struct Event: Codable, Equatable {
  var kind: String
  var payload: JSON
}
