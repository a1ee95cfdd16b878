import { describe, expect, test } from "vitest";
import { parseWhere } from "#server/domains/records/where/record-filter.ts";

describe("where, read", () => {
  const faults: [words: string, where: unknown, pointers: string[]][] = [
    ["an operator among fields", { $gt: 1 }, ["#/$gt"]],
    ["a group that is no list", { $or: {} }, ["#/$or"]],
    ["an empty group", { $and: [] }, ["#/$and"]],
    ["JavaScript", { $where: "sleep(1000)" }, ["#/$where"]],
    ["fields among operators", { a: { $gt: 1, b: 2 } }, ["#/a/b"]],
    ["$in of one value", { a: { $in: 1 } }, ["#/a/$in"]],
    ["$exists of a number", { a: { $exists: 1 } }, ["#/a/$exists"]],
    ["$options alone", { a: { $options: "i" } }, ["#/a/$options"]],
    ["unknown options", { a: { $regex: "a", $options: "g" } }, ["#/a/$options"]],
    ["a pattern that is none", { a: { $regex: "(" } }, ["#/a/$regex"]],
    ["a backreference", { a: { $regex: "(a)\\1" } }, ["#/a/$regex"]],
    ["a pattern that multiplies", { a: { $regex: "(((a{99}){99}){99}){99}" } }, ["#/a/$regex"]],
    ["$all of one value", { a: { $all: 1 } }, ["#/a/$all"]],
    ["$all of too many", { a: { $all: Array.from({ length: 101 }, () => 1) } }, ["#/a/$all"]],
    [
      "$all of many, to be found in many ways",
      { "a.b.c.d.e": { $all: Array.from({ length: 70 }, () => 1) } },
      ["#/a.b.c.d.e/$all"],
    ],
    ["$elemMatch of a value", { a: { $elemMatch: 1 } }, ["#/a/$elemMatch"]],
    ["names among its operators", { a: { $elemMatch: { $gt: 1, b: 2 } } }, ["#/a/$elemMatch/b"]],
    [
      "what is wrong within it",
      { a: { $all: [{ $elemMatch: { b: { $x: 1 } } }] } },
      ["#/a/$all/0/$elemMatch/b/$x"],
    ],
    [
      "an item that can be found in too many ways",
      {
        "a.b.c.d.e.f": {
          $elemMatch: Object.fromEntries(
            Array.from({ length: 9 }, (_, index) => [`${index}.b.c`, 1]),
          ),
        },
      },
      ["#/a.b.c.d.e.f/$elemMatch/7.b.c", "#/a.b.c.d.e.f/$elemMatch/8.b.c"],
    ],
    ["$size below nothing", { a: { $size: -1 } }, ["#/a/$size"]],
    ["$size of a part", { a: { $size: 1.5 } }, ["#/a/$size"]],
    ["a kind that JSON does not have", { a: { $type: "int" } }, ["#/a/$type"]],
    ["no kind at all", { a: { $type: [] } }, ["#/a/$type"]],
    ["$mod of a number", { a: { $mod: 4 } }, ["#/a/$mod"]],
    ["$mod of three", { a: { $mod: [4, 1, 1] } }, ["#/a/$mod"]],
    ["$mod of text", { a: { $mod: ["4", 0] } }, ["#/a/$mod"]],
    ["a divisor that is 0 once it is whole", { a: { $mod: [-0.5, 0] } }, ["#/a/$mod"]],
    ["a remainder that no integer holds", { a: { $mod: [4, 1e300] } }, ["#/a/$mod"]],
    ["$not of a value", { a: { $not: 1 } }, ["#/a/$not"]],
    ["an operator in a value", { a: { b: { c: { $gt: 1 } } } }, ["#/a/b/c/$gt"]],
    ["an operator in a path", { "a.$b": 1 }, ["#/a.$b"]],
    ["a quote in a path", { 'a."': 1 }, ["#/a.%22"]],
    ["an order of objects", { a: { $lt: {} } }, ["#/a/$lt"]],
    ["$near without a point", { a: { $near: { $maxDistance: 1 } } }, ["#/a/$near"]],
    [
      "a place off the Earth",
      {
        a: {
          $within: {
            $box: [
              [0, 91],
              [1, 92],
            ],
          },
        },
      },
      ["#/a/$within"],
    ],
    ["a number that no double holds", { a: { $gt: Number.POSITIVE_INFINITY } }, ["#/a/$gt"]],
    ["text that no store holds", { a: "x\0" }, ["#/a"]],
    ["half a character", { a: { $in: ["fine", "\ud800"] } }, ["#/a/$in/1"]],
    ["a pattern with NUL", { a: { $regex: "\0" } }, ["#/a/$regex"]],
    ["a path with NUL", { "a.\0": 1 }, ["#/a.%00"]],
    ["too many conditions", { $or: Array.from({ length: 501 }, () => ({ a: 1 })) }, ["#/$or"]],
  ];
  test.each(faults)("refuses %s", (_words, where, pointers) => {
    const parsed = parseWhere(where, []);
    expect(parsed.faults?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test("names at most 20 faults", () => {
    const where = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`a${index}`, { $bad: 1 }]),
    );
    expect(parseWhere(where, []).faults).toHaveLength(20);
  });
});
