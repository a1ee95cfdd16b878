import { describe, expect, it } from "vitest";
import { parseFilter } from "#ui/filter-language.ts";

const properties = {
  reference: { type: "string" },
  notes: { type: "text" },
  status: { type: "enum" },
  amount: { type: "number" },
  urgent: { type: "boolean" },
  received: { type: "date" },
  site: { type: "object" },
};

describe("a filter that is typed", () => {
  it.each([
    ["", undefined],
    ["status:open", { status: "open" }],
    ["status=open", { status: "open" }],
    ["reference:PA-2026", { reference: { $regex: "PA-2026", $options: "i" } }],
    ["notes:a.b(c)", { notes: { $regex: "a\\.b\\(c\\)", $options: "i" } }],
    ["reference=PA-2026-1", { reference: "PA-2026-1" }],
    ["amount>1000", { amount: { $gt: 1000 } }],
    ["amount>=1000.5", { amount: { $gte: 1000.5 } }],
    ["amount<0", { amount: { $lt: 0 } }],
    ["amount:-5", { amount: -5 }],
    ["status!=open", { status: { $ne: "open" } }],
    ["urgent:yes", { urgent: true }],
    ["urgent:false", { urgent: false }],
    ["received:2026-11", { received: { $startsWith: "2026-11" } }],
    ["status:null", { status: null }],
    ["site.ward:north", { "site.ward": "north" }],
    ["created_at>2026-01-01", { created_at: { $gt: "2026-01-01" } }],
    ["status:open amount>5", { $and: [{ status: "open" }, { amount: { $gt: 5 } }] }],
    ['notes:"quay street"', { notes: { $regex: "quay street", $options: "i" } }],
    [
      "quay",
      {
        $or: [
          { reference: { $regex: "quay", $options: "i" } },
          { notes: { $regex: "quay", $options: "i" } },
          { status: { $regex: "quay", $options: "i" } },
        ],
      },
    ],
    ['{"status":"open"}', { status: "open" }],
  ])("%s", (text, where) => {
    expect(parseFilter(text, properties)).toEqual({ where });
  });

  it.each([
    ["nothing:1", /no field "nothing"/],
    ["amount:many", /amount is a number, "many" is not/],
    ["urgent:perhaps", /urgent is true or false/],
    ['{"status":', /not JSON yet/],
    ['"open', /can't be read/],
  ])("says what is wrong with %s", (text, words) => {
    const parsed = parseFilter(text, properties);
    expect("problem" in parsed && parsed.problem).toMatch(words);
  });

  it("needs a field where no field holds text", () => {
    const parsed = parseFilter("quay", { amount: { type: "number" } });
    expect("problem" in parsed && parsed.problem).toMatch(/say field:value/);
  });
});
