import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { Database } from "#server/database/database.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  resourceIn,
  testPrincipal,
  type RecordServices,
} from "#test/support/records.ts";

const thing = definition({
  properties: {
    key: { type: "string", unique: true },
    text: { type: "string", indexed: true },
    plain: { type: "string" },
    number: { type: "number", indexed: true },
    whole: { type: "integer" },
    flag: { type: "boolean", indexed: true },
    when: { type: "datetime", indexed: true },
    list: { type: "array", items: { type: "string" } },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: {
          sku: { type: "string" },
          sizes: { type: "array", items: { type: "integer" } },
          at: { type: "datetime" },
        },
      },
    },
    free: { type: "object" },
    place: { type: "geopoint" },
    version: { type: "string" },
  },
});

const point = (longitude: number, latitude: number): JsonObject => ({
  type: "Point",
  coordinates: [longitude, latitude],
});

describeOnEachDatabase("where", (open) => {
  let services: RecordServices;
  let database: Database;
  const workspace = newWorkspace();
  const made = new Map<string, Resource>();

  /** The keys of the records that pass, in the order in which they were made. */
  async function keys(where: unknown): Promise<string[]> {
    const { items } = await services.resources.list(services.work, workspace, "thing", {
      where: JSON.stringify(where),
      sort: "created_at",
      limit: 500,
    });
    return items.map(({ data }) => String(data["key"]));
  }

  beforeAll(async () => {
    database = await open();
    services = recordServices(database);
    await services.objectTypes.create(services.work, workspace, thing);
    const records: JsonObject[] = [
      { key: "full", text: "Alpha", plain: "Alpha", number: 5, whole: 5, flag: true },
      { key: "none" },
      { key: "nulls", text: null, plain: null, number: null, flag: null, free: null, list: null },
      { key: "empty", text: "", plain: "", number: 0, whole: 0, flag: false, list: [], lines: [] },
      { key: "ten", number: 10, whole: 10, text: "alpha%_x", plain: "alpha%_x" },
      { key: "times", when: "2026-06-01T12:00:00Z", lines: [{ at: "2026-06-01T14:00:00+02:00" }] },
      { key: "lists", list: ["a", "b"], lines: [{ sku: "x", sizes: [1, 2] }, { sizes: [3] }] },
      { key: "skus", lines: [{ sku: "x" }, { sku: null }] },
      { key: "free", free: { a: { b: 1, c: [1, "two", { d: true }] }, "0": "zero", s: "5", t: 1 } },
      { key: "freer", free: { a: [{ b: 1 }, { b: 2 }, 7], big: 9007199254740991 } },
      { key: "unicode", text: "Straße ÄÖ 😀", plain: "Straße ÄÖ 😀" },
      { key: "own", version: "three" },
      { key: "signs", free: { below: -7, part: 5.99, parts: [2, -7.5], huge: 1e19 } },
    ];
    for (const data of records) {
      made.set(
        String(data["key"]),
        resourceIn(await services.resources.create(services.work, workspace, "thing", data)),
      );
    }
  });

  const cases: [words: string, where: unknown, expected: string[]][] = [
    ["nothing asked is everything", {}, []],
    ["text is not the number it looks like", { "free.s": 5 }, []],
    ["nor the number the text", { "free.t": "1" }, []],
    ["true is not 1", { "free.t": true }, []],
    ["1 is not true", { flag: 1 }, []],
    ["more than a number is a number", { "free.s": { $gt: 1 } }, []],
    ["order is of one kind", { number: { $gt: "" } }, []],
    ["numbers compare as numbers, not as text", { number: { $gt: 9 } }, ["ten"]],
    ["also where no index is", { whole: { $gte: 5, $lt: 10.5 } }, ["full", "ten"]],
    ["a missing value is not less than anything", { number: { $lt: 1 } }, ["empty"]],
    ["empty text is text", { text: "" }, ["empty"]],
    ["and comes before all other text", { plain: { $lte: "" } }, ["empty"]],
    ["$contains tells capitals apart", { plain: { $contains: "lpha" } }, ["full", "ten"]],
    ["and takes % and _ as they are", { plain: { $contains: "%_" } }, ["ten"]],
    ["$startsWith tells capitals apart", { text: { $startsWith: "al" } }, ["ten"]],
    ["also beyond ASCII", { text: { $startsWith: "Straße Ä" } }, ["unicode"]],
    [
      "empty text starts every text",
      { text: { $startsWith: "" } },
      ["full", "empty", "ten", "unicode"],
    ],
    ["a pattern counts an emoji as one character", { plain: { $regex: "Ö .$" } }, ["unicode"]],
    [
      "and can ignore capitals beyond ASCII",
      { plain: { $regex: "äö", $options: "i" } },
      ["unicode"],
    ],
    ["a list is found by its item", { list: "b" }, ["lists"]],
    ["and by the whole of itself", { list: ["a", "b"] }, ["lists"]],
    ["but not by its items in another order", { list: ["b", "a"] }, []],
    ["an empty list is one", { list: [] }, ["empty"]],
    ["$in takes whole lists", { list: { $in: [["a", "b"], "c"] } }, ["lists"]],
    ["a place in a list", { "list.1": "b" }, ["lists"]],
    ["a name that is a number", { "free.0": "zero" }, ["free"]],
    ["through a list of objects", { "lines.sku": "x" }, ["lists", "skus"]],
    ["lists in a list's objects", { "lines.sizes": { $gt: 2 } }, ["lists"]],
    [
      "all conditions of one field need not be the same item's",
      { "lines.sizes": { $gt: 2, $lt: 2 } },
      ["lists"],
    ],
    [
      "one object without the name is enough for null",
      { "lines.sku": null },
      [
        "full",
        "none",
        "nulls",
        "ten",
        "times",
        "lists",
        "skus",
        "free",
        "freer",
        "unicode",
        "own",
        "signs",
      ],
    ],
    [
      "one object with it is enough for $exists",
      { "lines.sku": { $exists: true } },
      ["lists", "skus"],
    ],
    [
      "$elemMatch wants them of the same",
      { "lines.sizes": { $elemMatch: { $gt: 2, $lt: 2 } } },
      [],
    ],
    [
      "which a list within a list can have",
      { "lines.sizes": { $elemMatch: { $gt: 1, $lt: 3 } } },
      ["lists"],
    ],
    ["and an object too", { lines: { $elemMatch: { sku: "x", sizes: { $size: 2 } } } }, ["lists"]],
    ["one object of all", { lines: { $elemMatch: { sku: "x", sizes: 3 } } }, []],
    [
      "one within another",
      { lines: { $elemMatch: { sizes: { $elemMatch: { $gte: 3 } } } } },
      ["lists"],
    ],
    [
      "its groups are of one object",
      { lines: { $elemMatch: { $nor: [{ sku: "x" }, { sizes: 1 }] } } },
      ["times", "lists", "skus"],
    ],
    ["what is no object has no names", { "free.a": { $elemMatch: { b: { $ne: 1 } } } }, ["freer"]],
    ["and the others are none", { "free.a.c": { $elemMatch: { d: { $exists: false } } } }, []],
    ["nothing asked of an object is an object", { "free.a.c": { $elemMatch: {} } }, ["free"]],
    [
      "times within it are in any zone",
      { lines: { $elemMatch: { at: "2026-06-01T13:00:00+01:00" } } },
      ["times"],
    ],
    ["$elemMatch of what is no list", { text: { $elemMatch: { $eq: "Alpha" } } }, []],
    ["nor is a system field one", { version: { $elemMatch: { $eq: 1 } } }, []],
    ["$size counts a list's items", { list: { $size: 2 } }, ["lists"]],
    ["an empty one has none", { list: { $size: 0 } }, ["empty"]],
    ["which text is not", { plain: { $size: 0 } }, []],
    ["$size of a list in a list's objects", { "lines.sizes": { $size: 1 } }, ["lists"]],
    ["$all in any order", { list: { $all: ["b", "a"] } }, ["lists"]],
    ["every one of them", { list: { $all: ["a", "c"] } }, []],
    ["one value has itself", { text: { $all: ["Alpha"] } }, ["full"]],
    ["$all of nothing is nothing", { list: { $all: [] } }, []],
    [
      "$all of objects that pass",
      { lines: { $all: [{ $elemMatch: { sku: "x" } }, { $elemMatch: { sizes: 3 } }] } },
      ["lists"],
    ],
    ["$type of text", { "free.s": { $type: "string" } }, ["free"]],
    ["of one of several kinds", { "free.t": { $type: ["string", "number"] } }, ["free"]],
    ["by MongoDB's numbers too", { "free.a": { $type: 4 } }, ["freer"]],
    ["a list's items have theirs", { "free.a": { $type: "number" } }, ["freer"]],
    ["null, but not what is missing", { text: { $type: "null" } }, ["nulls"]],
    ["a flag", { flag: { $type: "bool" } }, ["full", "empty"]],
    ["$mod leaves a remainder", { whole: { $mod: [4, 1] } }, ["full"]],
    ["where no number is, none", { "free.s": { $mod: [5, 0] } }, []],
    ["nor of what is missing", { number: { $mod: [5, 0] } }, ["full", "empty", "ten"]],
    ["it has the number's sign", { "free.below": { $mod: [4, -3] } }, ["signs"]],
    ["and no other", { "free.below": { $mod: [4, 1] } }, []],
    ["a divisor's sign is nothing", { "free.below": { $mod: [-4, -3] } }, ["signs"]],
    ["what is after the point is cut", { "free.part": { $mod: [4.9, 1.5] } }, ["signs"]],
    ["below 0 too", { "free.parts": { $mod: [2, -1] } }, ["signs"]],
    ["a number beyond 64 bits leaves none", { "free.huge": { $mod: [1, 0] } }, []],
    ["the largest safe one does", { "free.big": { $mod: [10, 1] } }, ["freer"]],
    ["$mod of an item", { "free.a": { $mod: [4, 3] } }, ["freer"]],
    ["of a system field", { version: { $mod: [2, 1] }, key: "own" }, ["own"]],
    ["which text is not", { created_by: { $mod: [1, 0] } }, []],
    ["$exists is true for null", { text: { $exists: true }, key: "nulls" }, ["nulls"]],
    ["deep in free data", { "free.a.b": 1 }, ["free", "freer"]],
    ["and deeper", { "free.a.c.d": true }, ["free"]],
    ["objects compare whole", { "free.a.c": { d: true } }, ["free"]],
    ["the largest safe number is itself", { "free.big": 9007199254740991 }, ["freer"]],
    ["and not the one before", { "free.big": { $lt: 9007199254740991 } }, []],
    ["a time in any zone is that time", { when: "2026-06-01T14:00:00+02:00" }, ["times"]],
    ["also in a list's objects", { "lines.at": { $gte: "2026-06-01T12:00:00Z" } }, ["times"]],
    ["a day is a time's beginning", { when: { $gte: "2026-06-01" } }, ["times"]],
    ["$not of what is missing holds", { number: { $not: { $gte: 0 } }, key: "none" }, ["none"]],
    ["$nor", { $nor: [{ key: { $ne: "full" } }, { number: { $gt: 5 } }] }, ["full"]],
    ["a text is no list", { text: { $ne: [] }, key: "full" }, ["full"]],
    ["nor an object", { plain: { $ne: { a: 1 } }, key: "full" }, ["full"]],
    ["and a number neither", { number: { $not: { $eq: ["a", 1] } }, key: "full" }, ["full"]],
    ["an $in of nothing is nothing", { text: { $in: [] } }, []],
    ["$nin of nothing is everything", { text: { $nin: [] }, key: "none" }, ["none"]],
    ["the system's version comes before the own one", { version: "three" }, []],
    ["the own one has a longer name", { "data.version": "three" }, ["own"]],
    ["which others may use too", { "data.key": "full" }, ["full"]],
    ["names with quotes and blanks", { "free.it's a 'name'": 1 }, []],
    ["a name as long as it may be", { [`free.${"x".repeat(128)}`]: 1 }, []],
  ];

  test.each(cases)("%s", async (words, where, expected) => {
    const all = [...made.keys()];
    const found = await keys(where);
    expect(found).toEqual(words === "nothing asked is everything" ? all : expected);
  });

  test("system fields are filtered like others", async () => {
    const { id, created_at = "" } = made.get("full") ?? { id: "" };
    expect(await keys({ id })).toEqual(["full"]);
    expect(await keys({ id: { $in: [id, "nonsense"] } })).toEqual(["full"]);
    expect(await keys({ version: { $gt: 1 } })).toEqual([]);
    expect(await keys({ created_by: testPrincipal.oid, key: "full" })).toEqual(["full"]);
    expect(await keys({ created_at: { $lt: created_at } })).toEqual([]);
    const inZone = new Date(created_at).toISOString().replace("Z", "+00:00");
    expect(await keys({ created_at: inZone, key: "full" })).toEqual(["full"]);
    expect(await keys({ created_by: null })).toEqual([]);
  });

  describe("places", () => {
    const harbour: [number, number] = [-2.95, 53.4];

    beforeAll(async () => {
      const places: [string, JsonObject][] = [
        ["at-harbour", point(...harbour)],
        ["1-km-north", point(-2.95, 53.409)],
        ["30-km-east", point(-2.5, 53.4)],
        ["fiji-east", point(179.9, -17)],
        ["fiji-west", point(-179.9, -17)],
      ];
      for (const [key, place] of places) {
        await services.resources.create(services.work, workspace, "thing", { key, place });
      }
    });

    const near = (center: [number, number], maximum: number, minimum?: number) => ({
      place: {
        $near: {
          $geometry: { type: "Point", coordinates: center },
          $maxDistance: maximum,
          ...(minimum === undefined ? {} : { $minDistance: minimum }),
        },
      },
    });

    test("are found by distance in metres", async () => {
      expect(await keys(near(harbour, 10))).toEqual(["at-harbour"]);
      expect(await keys(near(harbour, 999))).toEqual(["at-harbour"]);
      expect(await keys(near(harbour, 1_010))).toEqual(["at-harbour", "1-km-north"]);
      expect(await keys(near(harbour, 40_000, 500))).toEqual(["1-km-north", "30-km-east"]);
    });

    test("are near each other across the date line", async () => {
      expect(await keys(near([180, -17], 20_000))).toEqual(["fiji-east", "fiji-west"]);
    });

    test("are found in a box, a circle and a polygon", async () => {
      const box = [
        [-3, 53],
        [-2.9, 54],
      ];
      expect(await keys({ place: { $within: { $box: box } } })).toEqual([
        "at-harbour",
        "1-km-north",
      ]);
      const acrossDateLine = [
        [179, -18],
        [-179, -16],
      ];
      expect(await keys({ place: { $within: { $box: acrossDateLine } } })).toEqual([
        "fiji-east",
        "fiji-west",
      ]);
      const circle = [harbour, 500 / 6_378_100];
      expect(await keys({ place: { $within: { $centerSphere: circle } } })).toEqual(["at-harbour"]);
      const ring = [
        [-3, 53.39],
        [-2.4, 53.39],
        [-2.4, 53.405],
        [-3, 53.405],
        [-3, 53.39],
      ];
      const polygon = { $geometry: { type: "Polygon", coordinates: [ring] } };
      expect(await keys({ place: { $within: polygon } })).toEqual(["at-harbour", "30-km-east"]);
      expect(await keys({ place: { $within: { $polygon: ring.slice(0, 4) } } })).toEqual([
        "at-harbour",
        "30-km-east",
      ]);
    });

    const corners = (west: number, south: number, east: number, north: number) => [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ];

    test.each([
      ["a side over the antimeridian", [179, -179]],
      ["longitudes after 180", [179, 181]],
      ["longitudes before -180", [-181, -179]],
    ])("are found in a polygon with %s", async (_form, [west = 0, east = 0]) => {
      const fiji = corners(west, -18, east, -16);
      const inside = (ring: readonly unknown[]) =>
        keys({ place: { $within: { $geometry: { type: "Polygon", coordinates: [ring] } } } });
      const both = ["fiji-east", "fiji-west"];
      expect(await inside(fiji)).toEqual(both);
      const turned = [...fiji.slice(2), ...fiji.slice(0, 2)].toReversed();
      expect(await inside(turned)).toEqual(both);
      const flat = await keys({ place: { $within: { $polygon: fiji } } });
      expect(flat).toEqual(Math.abs(east - west) < 180 ? both : []);
    });

    test("are found in a polygon from the antimeridian on", async () => {
      const geometry = { type: "Polygon", coordinates: [corners(180, -18, -179, -16)] };
      expect(await keys({ place: { $within: { $geometry: geometry } } })).toEqual(["fiji-west"]);
    });

    test("are found in a polygon around the whole map", async () => {
      const map = corners(-180, -90, 180, 90);
      const all = await keys({ place: { $within: { $polygon: map } } });
      expect(all).toEqual(expect.arrayContaining(["at-harbour", "fiji-east", "fiji-west"]));
    });
  });

  test("many lists of a thousand values of indexed properties are more than an engine binds", async () => {
    const none = (at: number) => Array.from({ length: 999 }, (_, index) => `none ${at} ${index}`);
    const alternatives = Array.from({ length: 34 }, (_, at) => [
      { text: { $in: [...none(at), "Alpha"] } },
      { number: { $in: [...none(at).keys(), at + 0.25] } },
      { key: { $in: [...none(at), "ten"] } },
    ]).flat();
    expect(await keys({ $or: alternatives })).toEqual(
      await keys({ $or: [{ text: "Alpha" }, { key: "ten" }, { number: { $lt: 999, $gte: 0 } }] }),
    );
  });

  test("a list of a thousand texts, and a ring of a thousand places, are looked through", async () => {
    const texts = Array.from({ length: 999 }, (_, at) => `none ${at}`);
    expect(await keys({ plain: { $in: [...texts, "Alpha"] } })).toEqual(["full"]);
    expect(await keys({ whole: { $in: [...texts.keys(), 10.5] } })).toEqual([
      "full",
      "empty",
      "ten",
    ]);
    const ring = Array.from({ length: 1_000 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 1_000;
      return [-2.95 + 0.02 * Math.cos(angle), 53.4 + 0.02 * Math.sin(angle)];
    });
    expect(await keys({ place: { $within: { $polygon: ring } } })).toEqual([
      "at-harbour",
      "1-km-north",
    ]);
  });
});
