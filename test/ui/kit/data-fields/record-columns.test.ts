import { describe, expect, it } from "vitest";
import type { ObjectType, Resource } from "#client/index.ts";
import {
  recordColumns,
  recordName,
  sortableFields,
  recordSummary,
} from "#ui/kit/data-fields/record-columns.ts";

const type: ObjectType = {
  id: "t",
  name: "PlanningApplication",
  slug: "planning-application",
  properties: {
    status: { type: "enum" },
    notes: { type: "text" },
    amount: { type: "number" },
    site: { type: "object" },
    plans: { type: "file" },
    reference: { type: "string" },
  },
  actions: [{ name: "decide", transition: { property: "status", from: ["open"], to: "decided" } }],
};
const record: Resource = {
  id: "r",
  version: 3,
  data: { reference: "PA-1", status: "open", amount: 5, extra: [1, 2] },
  created_at: "2026-11-21T11:00:00.000Z",
};

describe("records", () => {
  it("are called by their reference, number or name", () => {
    expect(recordName(record, type)).toBe("PA-1");
    expect(recordName({ ...record, data: {} }, type)).toBe("r");
    expect(recordSummary(record, type)).toBe("PA-1");
    const nameless = { height: 3, species: "Oak", note: " ", place: {}, state: "sound", ward: "N" };
    expect(recordSummary({ ...record, data: nameless }, type)).toBe("Oak · sound");
    expect(recordSummary({ ...record, data: { height: 3 } }, type)).toBeUndefined();
  });

  it("have the telling column first, the others as the type has them", () => {
    const columns = recordColumns(type, Date.parse("2026-11-21T12:00:00.000Z"));
    expect(columns.map((column) => column.id)).toEqual([
      "reference",
      "status",
      "notes",
      "amount",
      "updated_at",
    ]);
    expect(columns[0]?.pinned).toBe(true);
    expect(columns[1]?.value(record)).toBe("● open");
    expect(columns.at(-1)?.value(record)).toBe("1h");
  });

  it("can be sorted by properties with an order", () => {
    expect(sortableFields(type)).toEqual([
      "created_at",
      "updated_at",
      "status",
      "notes",
      "amount",
      "reference",
    ]);
  });

  it("have no value for a property named as a member of every object", () => {
    const odd: ObjectType = { ...type, properties: { constructor: { type: "string" } } };
    const [column] = recordColumns(odd, 0, ["constructor"]);
    expect(column?.value({ ...record, data: {} })).toBe("");
    expect(column?.value({ ...record, data: { constructor: "Ada" } })).toBe("Ada");
  });
});
