import { describe, expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import { recordColumns } from "#ui/kit/data-fields/record-columns.ts";
import { filesOf, hasFiles } from "#ui/records/detail/file-values.ts";
import { recordLines } from "#ui/records/detail/record-words.ts";
import { referencesIn, referencesInRows } from "#ui/records/record-references.ts";
import { distanceWords, localDateWords, localTimeWords } from "#ui/kit/text/words.ts";

const nowMs = Date.parse("2026-11-21T12:00:00.000Z");
const other = "01936f00-0000-7000-8000-0000000000b1";

const type: ObjectType = {
  id: "t",
  name: "Order",
  slug: "order",
  properties: {
    due: { type: "date", displayName: "Due date" },
    licence: { type: "reference", targetObjectType: "licence" },
    place: { type: "geopoint" },
    size: {
      type: "object",
      properties: { owner: { type: "reference", targetObjectType: "party" } },
    },
    tags: { type: "array" },
    nearby: { type: "array", items: { type: "reference", targetObjectType: "party" } },
    plans: { type: "file", accept: ["application/pdf"] },
    note: { type: "text" },
  },
  linkTypes: [{ name: "parties", targetObjectType: "party", cardinality: "many" }],
};

function record(data: Resource["data"]): Resource {
  return { id: "r", version: 3, data, created_at: "2026-11-21T11:00:00.000Z", created_by: "oid" };
}

function shown(data: Resource["data"], unfolded: readonly (readonly string[])[] = [], width = 70) {
  const places = new Set(unfolded.map((path) => JSON.stringify(path)));
  const view = { width, nowMs, unfolded: places, nameOf: () => "ada@northwind.example" };
  const lines = recordLines(type, record(data), view);
  return {
    lines,
    texts: lines.map(({ spans }) =>
      spans
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    ),
  };
}

describe("a record's fields", () => {
  it("have the form of their types", () => {
    const { texts } = shown({
      due: "2026-12-14",
      place: { type: "Point", coordinates: [-2.9561, 53.4043] },
      tags: ["trees", "river"],
      plans: {
        filename: "plans.pdf",
        contentType: "application/pdf",
        size: 2_100_000,
        sha256: "ab",
      },
      note: null,
    });
    expect(texts).toEqual([
      "Due date  2026-12-14  in 23d",
      "place     53.4043 N, 2.9561 W",
      "tags      trees, river",
      "plans     plans.pdf  2.1 MB  application/pdf",
      "note      null",
      "id        r",
      "version   3",
      "created   2026-11-21T11:00:00.000Z  1h ago by ada@northwind.example",
      "updated",
    ]);
  });

  it("have the same status sign as the table", () => {
    const data = { status: "decided", decision: "refused" };
    const columns = recordColumns(
      { ...type, properties: { status: { type: "string" }, decision: { type: "string" } } },
      nowMs,
    );
    const cells = columns.slice(0, 2).map(({ value }) => value(record(data)));
    expect(cells).toEqual(["✓ decided", "✗ refused"]);
    expect(shown(data).texts.slice(0, 2)).toEqual(["status    ✓ decided", "decision  ✗ refused"]);
  });

  it("fold a long text", () => {
    const note = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join("\n");
    const folded = shown({ note, size: { owner: other } });
    expect(folded.texts.slice(0, 9)).toEqual([
      "size     ▸ 1 field  owner",
      "note     line 0",
      ...Array.from({ length: 6 }, (_, line) => `         line ${line + 1}`),
      "         ▸ 48,889 characters in total",
    ]);
    expect(folded.texts.at(-1)).toBe("updated");
    expect(folded.lines[3]?.action).toEqual({ kind: "fold", place: '["note"]' });
    const whole = shown({ note }, [["note"]]);
    expect(whole.texts[1_999]).toBe("         line 1999");
    expect(whole.texts[2_000]).toBe("         … 3,000 more lines are in the JSON");
    expect(whole.texts.at(-1)).toBe("updated");
    expect(whole.lines[0]?.action).toEqual({ kind: "fold", place: '["note"]' });
  });

  it("leave a text of eight lines as it is", () => {
    const note = Array.from({ length: 8 }, (_, line) => `line ${line}`).join("\n");
    expect(shown({ note }).texts[7]).toBe("         line 7");
    expect(shown({ note }).lines[0]?.action).toBeUndefined();
  });

  it("open referenced records, also from nested values and links", () => {
    const data = { licence: other, size: { owner: other }, parties: [other] };
    const actions = (unfolded: readonly (readonly string[])[]) =>
      shown(data, unfolded).lines.flatMap(({ action }) => (action === undefined ? [] : [action]));
    expect(actions([])).toEqual([
      { kind: "record", objectType: "licence", id: other },
      { kind: "fold", place: '["size"]' },
      { kind: "fold", place: '["parties"]' },
    ]);
    expect(actions([["size"], ["parties"]])).toEqual([
      { kind: "record", objectType: "licence", id: other },
      { kind: "fold", place: '["size"]' },
      { kind: "record", objectType: "party", id: other },
      { kind: "fold", place: '["parties"]' },
      { kind: "record", objectType: "party", id: other },
    ]);
  });

  it("open the records of a list of references", () => {
    const { texts, lines } = shown({ nearby: [other] }, [["nearby"]]);
    expect(texts[0]).toBe("nearby   ▾ 1 item");
    expect(lines[1]?.action).toEqual({ kind: "record", objectType: "party", id: other });
  });

  it("show the names of referenced records if they are known", () => {
    const found = referencesIn(
      type,
      record({ licence: other, parties: [other, other], due: other }),
    );
    expect(found).toEqual([{ objectType: "party", id: other }]);
    const textWith = (name: string, hidesIds = false) => {
      const recordNameOf = (id: string) => (id === other ? name : undefined);
      const names = { nameOf: String, recordNameOf };
      const view = { width: 90, nowMs, unfolded: new Set<string>(), ...names, hidesIds };
      const [line] = recordLines(type, record({ licence: other }), view);
      return line?.spans.map((span) => span.text).join("");
    };
    expect(textWith("LIC-7")).toBe(`licence  → LIC-7  licence ${other}`);
    expect(textWith("LIC-7", true)).toBe("licence  → LIC-7  licence");
    // A record without a readable name has its id.
    expect(textWith(other)).toBe(`licence  → ${other}  licence`);
  });

  it("show names in a table, also in lists and links, and file names", () => {
    const names = ["licence", "nearby", "parties", "plans", "tags"];
    const row = record({
      licence: other,
      nearby: ["a", "b", "c", "d", "e"],
      parties: [other, 3],
      plans: { filename: "plans.pdf", size: 3 },
      tags: [other],
    });
    expect(referencesInRows(type, names, [row, undefined])).toEqual([
      { objectType: "party", id: other },
      ...["a", "b", "c", "d"].map((id) => ({ objectType: "party", id })),
    ]);
    expect(referencesInRows(type, ["plans", "gone"], [row])).toEqual([]);
    const nameOf = (id: string) => (id === other ? "LIC-7" : id === "b" ? "Ben" : undefined);
    const columns = recordColumns(type, 0, names, nameOf);
    const cells = columns.map(({ value }) => value(row));
    expect(cells).toEqual(["LIC-7", "a, Ben, c, d, e", "LIC-7, 3", "plans.pdf", other]);
    const isPending = columns.map((column) => column.isPending?.(row) ?? false);
    expect(isPending).toEqual([false, true, false, false, false]);
  });

  it("fold nested values", () => {
    const data = { tags: [{ name: "gutter", count: 2 }], extra: { a: { b: 1 } } };
    expect(shown(data).texts.slice(0, 2)).toEqual(["tags     ▸ 1 item", "extra    ▸ 1 field  a"]);
    expect(shown(data, [["tags"], ["tags", "0"]]).texts.slice(0, 4)).toEqual([
      "tags     ▾ 1 item",
      "  0      ▾ 2 fields",
      "    na…  gutter",
      "    co…  2",
    ]);
  });

  it("are bounded and safe to draw", () => {
    const hostile = "\x1b]0;owned\x07\x1b[2Jred\u202e\r\nnew";
    const many = Array.from({ length: 10_000 }, (_, index) => ({ index, text: hostile }));
    const { lines, texts } = shown(
      { tags: many, [hostile]: hostile, due: hostile },
      [["tags"]],
      40,
    );
    expect(lines.length).toBeLessThan(2_010);
    for (const text of texts) {
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(Bun.stringWidth(text)).toBeLessThanOrEqual(40);
    }
  });
});

describe("a record's files", () => {
  it("are the file properties with their files", () => {
    expect(hasFiles(type)).toBe(true);
    expect(hasFiles({ ...type, properties: {} })).toBe(false);
    expect(filesOf(type, record({}))).toEqual([
      { property: "plans", title: "plans", accept: ["application/pdf"], stored: undefined },
    ]);
    const plans = { filename: "a.pdf", contentType: "application/pdf", size: 3, sha256: "ab" };
    expect(filesOf(type, record({ plans }))[0]?.stored).toEqual(plans);
    expect(filesOf(type, record({ plans: "odd" }))[0]?.stored).toBeUndefined();
  });
});

describe("the distance of a time", () => {
  it.each([
    ["2026-11-21", "today"],
    ["2026-11-22", "in 1d"],
    ["2026-11-20", "1d ago"],
    ["2026-09-11", "2 months ago"],
    ["2029-11-21", "in 3 years"],
    ["2026-11-21T11:59:50Z", "now"],
    ["2026-11-21T14:00:00Z", "in 2h"],
    ["2026-11-21T10:00:00Z", "2h ago"],
    ["soon", ""],
  ])("%s is %j", (text, words) => {
    expect(distanceWords(text, nowMs, 0)).toBe(words);
  });

  it.each([
    ["Auckland", -780, "2026-11-22", "2026-11-22 00:59"],
    ["Los Angeles", 480, "2026-11-21", "2026-11-21 03:59"],
    ["London", 0, "2026-11-21", "2026-11-21 11:59"],
  ])("is counted from the reader's midnight: %s", (_, offsetMinutes, today, time) => {
    const beforeNoonMs = Date.parse("2026-11-21T11:59:59Z");
    expect(localTimeWords(beforeNoonMs, offsetMinutes)).toBe(time);
    expect(localDateWords(beforeNoonMs, offsetMinutes)).toBe(today);
    expect(distanceWords(today, beforeNoonMs, offsetMinutes)).toBe("today");
  });
});
