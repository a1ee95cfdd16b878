import { describe, expect, it } from "vitest";
import { parseFilter, splitFilter } from "#ui/kit/filter/filter-language.ts";

const properties = {
  reference: { type: "string" },
  notes: { type: "text" },
  status: { type: "enum", enum: ["open", "decided"] },
  stage: { type: "enum" },
  amount: { type: "number" },
  urgent: { type: "boolean" },
  received: { type: "date" },
  site: { type: "object", properties: { plots: { type: "integer" } } },
  tags: { type: "array", items: { type: "integer" } },
  plan: { type: "file" },
};

describe("a typed filter", () => {
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
    ["status:open,decided", { $or: [{ status: "open" }, { status: "decided" }] }],
    ["status=open,decided", { status: { $in: ["open", "decided"] } }],
    ["status!=open,decided", { status: { $nin: ["open", "decided"] } }],
    ["-status:open", { $nor: [{ status: "open" }] }],
    ["amount:>10", { amount: { $gt: 10 } }],
    ["amount:>=10", { amount: { $gte: 10 } }],
    ["amount:10..20", { amount: { $gte: 10, $lte: 20 } }],
    ["amount:10..", { amount: { $gte: 10 } }],
    ["received:2026-01..2026-03", { received: { $gte: "2026-01", $lt: "2026-04" } }],
    ["received:..2026-12-31", { received: { $lt: "2027-01-01" } }],
    ["reference:*", { reference: { $ne: null } }],
    ['reference:"*"', { reference: { $regex: "\\*", $options: "i" } }],
    ['reference="null"', { reference: "null" }],
    ['reference="a \\"b\\" c"', { reference: 'a "b" c' }],
    ["reference:O'Brien", { reference: { $regex: "O'Brien", $options: "i" } }],
    ["site.plots>2", { "site.plots": { $gt: 2 } }],
    ["tags:7", { tags: 7 }],
    ["plan.size>1000", { "plan.size": { $gt: 1000 } }],
    ["site.ward:north", { "site.ward": "north" }],
    ["created_at>2026-01-01", { created_at: { $gte: "2026-01-02" } }],
    ["created_at<=2026-01-31", { created_at: { $lt: "2026-02-01" } }],
    ["created_at<2026-01", { created_at: { $lt: "2026-01" } }],
    ["created_at>=2026", { created_at: { $gte: "2026" } }],
    ["created_at>2026-01-01T09:30", { created_at: { $gt: "2026-01-01T09:30" } }],
    ["received<=2026-12", { received: { $lt: "2027-01" } }],
    ["received<=null", { received: { $lte: null } }],
    ["received:2026-1", { received: { $startsWith: "2026-1" } }],
    ["status:open amount>5", { $and: [{ status: "open" }, { amount: { $gt: 5 } }] }],
    ['notes:"quay street"', { notes: { $regex: "quay street", $options: "i" } }],
    [
      "quay",
      {
        $or: [
          { reference: { $regex: "quay", $options: "i" } },
          { notes: { $regex: "quay", $options: "i" } },
          { status: { $regex: "quay", $options: "i" } },
          { stage: { $regex: "quay", $options: "i" } },
        ],
      },
    ],
    ['{"status":"open"}', { status: "open" }],
  ])("%s", (text, where) => {
    expect(parseFilter(text, properties)).toEqual({ where });
  });

  it.each([
    ["nothing:1", /no field "nothing"/, "nothing"],
    ["status:open nothing:1", /no field "nothing"/, "nothing"],
    ["amount:many", /amount must be a number, not "many"/, "many"],
    ["amount:1,many", /amount must be a number, not "many"/, "many"],
    ["amount:0x10", /amount must be a number, not "0x10"/, "0x10"],
    ["amount:9007199254740993", /has more digits than a number keeps/, "9007199254740993"],
    ["received:soon", /received must be a date such as .*, not "soon"/, "soon"],
    ["received:2026-13", /, not "2026-13"/, "2026-13"],
    ["received>=11/2026", /, not "11\/2026"/, "11/2026"],
    ["received:2026-01..soon", /, not "soon"/, "2026-01..soon"],
    ["amount:10..x", /amount must be a number, not "x"/, "10..x"],
    ["amount>1,000", /> takes one value/, "1,000"],
    ["urgent:perhaps", /urgent must be true or false/, "perhaps"],
    ["status=opne", /status must be one of open, decided, not "opne"/, "opne"],
    ["status:", /a value is missing/, "status:"],
    ["status: open", /a value is missing/, "status:"],
    ['"open', /the closing quote is missing/, '"open'],
    ["status:open ,", /unexpected ","/, ","],
    ['{"status":', /not JSON yet: a value is missing/, ":"],
    ['{"status":"open" "amount":1}', /not JSON yet: a , or } is missing/, '"'],
    ['{"status":open}', /not JSON yet: a value is missing/, "o"],
    ['{status:"open"}', /not JSON yet: a name in quotes is missing/, "s"],
    [
      '{"a":{"$gt":1},"a":{"$lt":5}}',
      /^a is given more than once/,
      '{"a":{"$gt":1},"a":{"$lt":5}}',
    ],
    ['{"a":9007199254740993}', /^a has more digits than a number keeps/, '{"a":9007199254740993}'],
    ['{"a":[1,2}', /not JSON yet: a , or ] is missing/, "}"],
    ['{"a":1}}', /unexpected text after/, "}"],
  ])("says what is wrong with %s, and where", (text, words, place) => {
    const parsed = parseFilter(text, properties);
    expect(parsed).toMatchObject({ problem: expect.stringMatching(words) });
    if ("at" in parsed) expect(text.slice(parsed.at.start, parsed.at.end)).toBe(place);
  });

  it("needs a field name if the type has no text field", () => {
    const parsed = parseFilter("quay", { amount: { type: "number" } });
    expect("problem" in parsed && parsed.problem).toMatch(/use field:value/);
  });
});

describe("a filter for the search index", () => {
  const fields = { status: { type: "string" }, fee: { type: "number" } };

  it.each([
    ["quay", { words: "quay", where: undefined }],
    ['"quay street"', { words: '"quay street"', where: undefined }],
    ["quay street", { words: '"quay" "street"', where: undefined }],
    ["quay fee>3", { words: "quay", where: { fee: { $gt: 3 } } }],
    [
      "-fee:3 quay fee<9",
      { words: "quay", where: { $and: [{ $nor: [{ fee: 3 }] }, { fee: { $lt: 9 } }] } },
    ],
    ["fee>3", undefined],
    ['{"fee":3}', undefined],
    ["fee:many quay", undefined],
  ])("splits %s", (text, split) => {
    expect(splitFilter(text, fields)).toEqual(split);
  });
});
