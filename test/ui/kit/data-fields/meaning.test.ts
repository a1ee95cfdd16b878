import { describe, expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import { recordColumns, recordName } from "../../../../ui/kit/data-fields/record-columns.ts";
import { statusOf } from "../../../../ui/kit/data-fields/meaning.ts";
import { recordLines } from "../../../../ui/records/detail/record-words.ts";
import { recordFields } from "../../../../ui/records/actions/form-fields-of-type.ts";

const nowMs = Date.parse("2026-11-27T12:00:00.000Z");
const type: ObjectType = {
  id: "t",
  name: "Fine",
  slug: "fine",
  displayName: "Fine",
  properties: {
    label: { type: "string" },
    name: { type: "string", meaning: "title" },
    reference: { type: "string" },
    phase: { type: "enum", enum: ["open", "lapsed"], meaning: "status", closed: ["lapsed"] },
    until: { type: "date", meaning: "due" },
    fee: { type: "number", meaning: "money", currency: "GBP" },
    coins: { type: "number", meaning: "money", currency: "beans" },
  },
};

function fine(data: Resource["data"]): Resource {
  return { id: "r", version: 1, data: { name: "First", reference: "F-1", ...data } };
}

function cellsOf(record: Resource) {
  const columns = recordColumns(type, nowMs, ["name", "phase", "until", "fee", "coins"]);
  return columns.map(({ value, token }) => [value(record), token?.(record)]);
}

describe("the meaning of properties", () => {
  it("names a record by its title", () => {
    expect(recordName(fine({}), type)).toBe("First");
    expect(recordName(fine({ name: " " }), type)).toBe("F-1");
    expect(recordName(fine({}), undefined)).toBe("F-1");
  });

  it("shows how late a record is, by a sign and a colour, until it is done", () => {
    const dueOf = (until: string, phase = "open") => cellsOf(fine({ until, phase }))[2];
    expect(dueOf("2026-10-10")).toEqual(["48d ▲", "bad"]);
    expect(dueOf("2026-11-27")).toEqual(["today !", "warn"]);
    expect(dueOf("2026-12-01")).toEqual(["in 4d !", "warn"]);
    expect(dueOf("2026-12-18")).toEqual(["in 21d", undefined]);
    expect(dueOf("2026-10-10", "lapsed")).toEqual(["2026-10-10", "quiet"]);
    expect(dueOf("soon")).toEqual(["soon", undefined]);
  });

  it("shows amounts with their currency and thousands", () => {
    expect(cellsOf(fine({ fee: 1751.5, coins: 1200 })).slice(3)).toEqual([
      ["£1,751.50", undefined],
      ["1,200 beans", undefined],
    ]);
  });

  it("dims closed states of a property with any name", () => {
    expect(cellsOf(fine({ phase: "lapsed" }))[1]).toEqual(["✓ lapsed", "quiet"]);
    expect(cellsOf(fine({ phase: "open" }))[1]).toEqual(["● open", "busy"]);
    const closed = { ...type.properties["phase"], type: "enum" as const, closed: ["withdrawn"] };
    expect(statusOf(closed, "withdrawn")).toEqual({ glyph: "⊘", token: "quiet" });
  });

  it("is in the details of a record", () => {
    const view = { width: 60, nowMs, unfolded: new Set<string>(), nameOf: () => undefined };
    const record = fine({ until: "2026-10-10", fee: 1751.5, phase: "open" });
    const lines = recordLines(type, record, view).map(({ spans }) => {
      return spans.map(({ text }) => text.trim()).filter((text) => text !== "");
    });
    expect(lines).toContainEqual(["until", "2026-10-10", "48d ▲"]);
    expect(lines).toContainEqual(["fee", "£1,751.50"]);
  });

  it("is in the fields of a form", () => {
    const fields = recordFields(type, {});
    const shownOf = (name: string, text: string, data: Resource["data"] = {}) =>
      fields.find((field) => field.name === name)?.shown?.(text, data);
    expect(shownOf("fee", "1751.5")).toEqual([{ text: "£1,751.50" }]);
    expect(shownOf("fee", "many")).toBeUndefined();
    expect(shownOf("phase", "lapsed")).toEqual([{ text: "✓ lapsed", as: "quiet" }]);
    expect(shownOf("until", "2001-01-01")).toMatchObject([{ text: "2001-01-01" }, { as: "bad" }]);
    const closed = shownOf("until", "2001-01-01", { phase: "lapsed" });
    expect(closed).toMatchObject([{}, { as: "quiet" }]);
    expect(fields.find(({ name }) => name === "fee")?.hint).toContain("amount in GBP");
  });
});
