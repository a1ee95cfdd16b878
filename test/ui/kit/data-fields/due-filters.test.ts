import { describe, expect, it } from "vitest";
import type { ObjectType } from "#client/index.ts";
import { dueFilters } from "#ui/kit/data-fields/due-filters.ts";
import { parseFilter } from "#ui/kit/filter/filter-language.ts";

const status = {
  type: "enum",
  enum: ["open", "decided", "not needed"],
  meaning: "status",
  closed: ["decided", "not needed"],
} as const;

function typeOf(properties: ObjectType["properties"]) {
  return { properties };
}

const nowMs = Date.parse("2026-11-27T13:30:00Z");

describe("the filters of due dates", () => {
  it("find open records by the day of the workspace's time zone", () => {
    const type = typeOf({ due: { type: "date", meaning: "due" }, status });
    expect(dueFilters(type, "UTC", nowMs)).toEqual({
      overdue: 'due<2026-11-27 status!=decided,"not needed"',
      soon: 'due>=2026-11-27 due<2026-12-04 status!=decided,"not needed"',
      next: 'due<2027-01-26 status!=decided,"not needed"',
      name: "due",
    });
    expect(dueFilters(type, "Pacific/Auckland", nowMs)?.overdue).toContain("due<2026-11-28");
  });

  it("compare a time with this moment, and parse as typed filters do", () => {
    const type = typeOf({ until: { type: "datetime", meaning: "due" } });
    const filters = dueFilters(type, "Europe/Paris", nowMs);
    expect(filters?.overdue).toBe("until<2026-11-27T13:30:00.000Z");
    expect(filters?.soon).toContain("until<2026-12-03T23:00:00.000Z");
    expect(parseFilter(filters?.soon ?? "", type.properties)).toHaveProperty("where");
  });

  it("are absent for a type without a due date", () => {
    expect(dueFilters(typeOf({ status }), "UTC", nowMs)).toBeUndefined();
  });
});
