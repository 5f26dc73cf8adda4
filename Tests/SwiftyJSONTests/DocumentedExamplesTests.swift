import Foundation
import SwiftyJSON
import Testing

/// The examples of SwiftyJSON's README, in the form in which programs have copied them.
@Suite struct DocumentedExamplesTests {
  static let timeline = #"""
    [{"user":{"id":29,"name":"Ann","favourites_count":3,"verified":true,"email":null},"text":"x"},
     {"list":[0,1,{"name":"third"}],"users":[{"name":"A"},{"name":"B"}]}]
    """#

  private func timeline() throws -> JSON { try JSON(data: Data(Self.timeline.utf8)) }

  @Test func `the README's example of typical handling is short`() throws {
    let dataFromNetworking = Data(Self.timeline.utf8)
    let json = try? JSON(data: dataFromNetworking)
    #expect(json?[0]["user"]["name"].string == "Ann")
    if let userName = json?[0]["user"]["name"].string { #expect(userName == "Ann") } else { Issue.record("no name") }
    let result = json?[999999]["wrong_key"]["wrong_name"]
    #expect(result?.string == nil && result?.error == .indexOutOfBounds)
  }

  @Test func `values are initialized from data, an object and a string`() throws {
    let jsonObject: Any = try JSONSerialization.jsonObject(with: Data(Self.timeline.utf8))
    #expect(JSON(jsonObject) == (try timeline()))
    let jsonString = Self.timeline
    if let dataFromString = jsonString.data(using: .utf8, allowLossyConversion: false) {
      let json = try JSON(data: dataFromString)
      #expect(json == (try timeline()))
    }
    #expect(JSON(parseJSON: jsonString) == (try timeline()))
  }

  @Test func `subscripts of arrays and dictionaries read values`() throws {
    let json = try timeline()
    #expect(JSON([1.5])[0].double == 1.5)
    #expect(json[1]["users"].arrayValue.map { $0["name"].stringValue } == ["A", "B"])
    #expect(json[0]["text"].stringValue == "x")
    let path: [JSONSubscriptType] = [1, "list", 2, "name"]
    #expect(json[path].string == "third")
    #expect(json[1]["list"][2]["name"].string == "third")
    #expect(json[1, "list", 2, "name"].string == "third")
    let name = json[1].dictionaryValue["list"]?.arrayValue[2].dictionaryValue["name"]?.string
    #expect(name == "third")
  }

  @Test func `loops iterate over dictionaries and arrays`() throws {
    let json = try timeline()
    var keys: [String] = []
    for (key, subJson): (String, JSON) in json[0]["user"] { keys.append("\(key):\(subJson.stringValue)") }
    #expect(keys == ["id:29", "name:Ann", "favourites_count:3", "verified:true", "email:"])
    var indices: [String] = []
    for (index, subJson): (String, JSON) in json[1]["users"] { indices.append(index + subJson["name"].stringValue) }
    #expect(indices == ["0A", "1B"])
    for (_, item) in json { #expect(item.type == .dictionary) }
    for item in json[1]["users"].arrayValue { #expect(item["name"].exists()) }
  }

  @Test func `errors replace crashes`() {
    let names = JSON(["name", "age"])
    if let name = names[999].string {
      Issue.record("\(name)")
    } else {
      #expect(names[999].error == SwiftyJSONError.indexOutOfBounds)
    }
    let person = JSON(["name": "Jack", "age": 25] as [String: Any])
    if let address = person["address"].string {
      Issue.record("\(address)")
    } else {
      #expect(person["address"].error == SwiftyJSONError.notExist)
    }
    let number = JSON(12345)
    if let age = number[0].string {
      Issue.record("\(age)")
    } else {
      #expect(number[0].error == SwiftyJSONError.wrongType && number[0].description == "null")
    }
    if let name = number["name"].string {
      Issue.record("\(name)")
    } else {
      #expect(number["name"].error == SwiftyJSONError.wrongType)
    }
  }

  @Test func `optional getters return the value or nil`() throws {
    let user = try timeline()[0]["user"]
    if let id = user["favourites_count"].number { #expect(id == 3) } else { Issue.record("no number") }
    if let name = user["name"].string { #expect(name == "Ann") } else { Issue.record("no string") }
    if let verified = user["verified"].bool { #expect(verified) } else { Issue.record("no Bool") }
    if let id = user["id"].int { #expect(id == 29) } else { Issue.record("no Int") }
    #expect(user["name"].int == nil && user["id"].string == nil && user["email"].null != nil)
  }

  @Test func `getters with a default return the value or the default`() throws {
    let json = try timeline()
    let id: Int = json[0]["user"]["id"].intValue
    let name: String = json["name"].stringValue
    let list: [JSON] = json[1]["list"].arrayValue
    let user: [String: JSON] = json[0]["user"].dictionaryValue
    #expect(id == 29 && name == "" && list.count == 3 && user.count == 5)
    #expect(json["missing"].arrayValue.isEmpty && json["missing"].dictionaryValue.isEmpty)
  }

  @Test func `setters`() throws {
    var json: JSON = ["name": "old", "id": 0]
    json["name"] = JSON("new-name")
    json["id"].int = 1_234_567_890
    json["coordinate"].double = 8766.766
    #expect(json == ["name": "new-name", "id": 1_234_567_890, "coordinate": 8766.766])
    json["name"].string = "Jack"
    #expect(json["name"].string == "Jack")
    json.arrayObject = [1, 2, 3, 4]
    #expect(json == [1, 2, 3, 4])
    json[0] = JSON(1)
    json.dictionaryObject = ["name": "Jack", "age": 25]
    #expect(json == ["name": "Jack", "age": 25])
  }

  @Test func `raw objects, data and strings are returned`() throws {
    let json = try timeline()
    let rawObject: Any = json.object
    let rawValue: Any = json.rawValue
    #expect(rawObject is [Any] && rawValue is [Any])
    do {
      let rawData = try json.rawData()
      #expect(try JSON(data: rawData) == json)
    } catch {
      Issue.record("\(error)")
    }
    if let rawString = json.rawString() { #expect(JSON(parseJSON: rawString) == json) } else { Issue.record("nil") }
  }

  @Test func `literals`() {
    let string: JSON = "I'm a json"
    let integer: JSON = 12345
    let bool: JSON = true
    let float: JSON = 2.8765
    let dictionary: JSON = ["I": "am", "a": "json"]
    let array: JSON = ["I", "am", "a", "json"]
    #expect(
      string.stringValue == "I'm a json" && integer.intValue == 12345 && bool.boolValue && float.doubleValue == 2.8765)
    #expect(dictionary["a"].string == "json" && array[3].string == "json")
  }

  @Test func `a value is stored inside another`() {
    let user: JSON = ["username": "Steve", "password": "supersecurepassword"]
    let auth: JSON = ["user": user.object, "apikey": "supersecretapitoken"]
    let same: JSON = ["user": user, "apikey": "supersecretapitoken"]
    #expect(auth["user"]["username"].string == "Steve" && auth == same)
  }

  @Test func `the result of a network call is read`() throws {
    let result: Result<Any, any Error> = .success(try JSONSerialization.jsonObject(with: Data(Self.timeline.utf8)))
    switch result {
    case .success(let value):
      let json = JSON(value)
      #expect(json[0]["user"]["name"].stringValue == "Ann")
    case .failure(let error): Issue.record("\(error)")
    }
  }

  @Test func `a user's enum provides keys`() throws {
    enum Key: String, JSONSubscriptType {
      case user, name
      var jsonKey: JSONKey { JSONKey.key(rawValue) }
    }
    let json = try timeline()
    #expect(json[0][Key.user][Key.name].string == "Ann" && json[0, Key.user, Key.name].string == "Ann")
  }

  @Test func `an error of the parser is an NSError`() throws {
    do {
      let json = try JSON(data: Data("not json".utf8))
      Issue.record("\(json)")
    } catch let error as NSError {
      #expect(error.code == 3840 && error.domain == NSCocoaErrorDomain)
    }
  }

  @Test func `the error of a subscript is switched over`() {
    switch JSON(["a": 1])["b"].error {
    case .notExist?: break
    case .unsupportedType?, .indexOutOfBounds?, .elementTooDeep?, .wrongType?, .invalidJSON?, nil:
      Issue.record("another error")
    }
  }
}
