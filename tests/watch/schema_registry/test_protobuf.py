from __future__ import annotations

import pytest

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.formats import read_schema
from mainstem.watch.schema_registry.protobuf import read_protobuf
from watch.schema_registry.trees import lines

ORDER = """
syntax = "proto3";
package shop.v1;
import "google/protobuf/timestamp.proto";
import "confluent/meta.proto";
import "confluent/type/decimal.proto";

/* An order
 * of the shop. */
message Order {
  // The number
  // of the order.
  int64 id = 1;
  optional string note = 2;   // not part of the next one
  oneof payment { string card = 3; Cash cash = 4; }
  repeated Line lines = 5;
  map<string, Line> by_sku = 6;
  google.protobuf.Timestamp at = 7;
  confluent.type.Decimal price = 8 [(confluent.field_meta) = {
    params: [{key: "precision", value: "10"}, {key: "scale", value: "2"}]
  }];
  Status status = 9;
  .shop.v1.Cash change = 10;
  oneof delivery { bool pick_up = 11; }
  reserved 12 to 14;
  message Line { string sku = 1; Order back = 2; }
  enum Status { NEW = 0; OLD = 1; }
}
message Cash { double amount = 1; }
"""


def test_a_message_with_all_that_the_language_has() -> None:
    fields = read_protobuf(ORDER, {})
    assert lines(fields) == [
        "id int64",
        "note string?",
        "payment_0 oneof?",
        "payment_0.card string?",
        "payment_0.cash message?",
        "payment_0.cash.amount double",
        "lines repeated message",
        "lines.sku string",
        "lines.back recursive(shop.v1.Order)?",
        "by_sku map<string,message>",
        "by_sku.sku string",
        "by_sku.back recursive(shop.v1.Order)?",
        "at google.protobuf.Timestamp?",
        "price decimal(10,2)?",
        "status enum",
        "change message?",
        "change.amount double",
        "delivery_1 oneof?",
        "delivery_1.pick_up bool?",
    ]
    assert [field.description for field in fields[:3]] == ["The number of the order.", None, None]


def test_imports_are_found_by_the_innermost_name() -> None:
    main = """syntax = "proto3"; package shop.v1; import "common.proto"; import "other.proto";
    message Order { Money total = 1; common.Money old = 2; Local.Money own = 3;
      message Local { message Money { bool fake = 1; } } }"""
    common = 'syntax = "proto3"; package common; message Money { int64 cents = 1; }'
    other = 'syntax = "proto3"; package shop; message Money { string text = 1; }'
    assert lines(read_protobuf(main, {"common.proto": common, "other.proto": other})) == [
        "total message?", "total.text string",
        "old message?", "old.cents int64",
        "own message?", "own.fake bool",
    ]  # fmt: skip


def test_what_no_file_defines_is_a_leaf_with_its_name() -> None:
    text = 'syntax = "proto3"; message A { repeated acme.Unknown x = 1; google.type.Date d = 2; }'
    assert lines(read_protobuf(text, {})) == ["x repeated acme.Unknown", "d google.type.Date?"]


def test_older_and_newer_languages() -> None:
    proto2 = """message A { required int32 id = 1; optional string note = 2;
      repeated group Part = 3 { required string sku = 4; } }"""
    assert lines(read_protobuf(proto2, {})) == [
        "id int32", "note string?", "part repeated message", "part.sku string"
    ]  # fmt: skip
    assert lines(read_protobuf('edition = "2023"; message A { int32 id = 1; }', {})) == [
        "id int32?"
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("garbage", "line 1, column 0"),
        ("message A { int32 x = 1 }", "line 1, column 24"),
        ('syntax = "proto3"; enum E { A = 0; }', "no message"),
        ("message A {" * 300 + "}" * 300, "RecursionError"),
    ],
)
def test_what_cannot_be_read_says_so(
    text: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CannotTell, match=reason):
        read_schema("PROTOBUF", text, {})
    assert capfd.readouterr() == ("", "")
