import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { isStorable } from "#server/kit/storable-text.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";
import type { RecordServices } from "#test/support/records.ts";

const anything = definition({
  properties: {
    // PostgreSQL keeps names in another order: it sorts them by length.
    zebra: { type: "object" },
    a: { type: "text" },
    number: { type: "number" },
    list: { type: "array", items: { type: "object" } },
  },
});

const text = fc.string({ unit: "binary", maxLength: 20 }).filter(isStorable);
const name = text.filter((one) => one !== "" && one !== "__proto__");
const number = fc.oneof(
  fc.double({ min: -1e308, max: 1e308, noNaN: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e21, -1e21, 1e-7, 5e-324, 1e308, 2 ** 53, 0.1),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, fc.constant(null), fc.boolean(), number, text, tie("object")),
  object: fc.dictionary(name, tie("any"), { maxKeys: 5, noNullPrototype: true }),
})).object;

describeOnEachDatabase("a record as JSON text", (open) => {
  let services: RecordServices;
  const workspace = newWorkspace();
  const writer = 'who "is" this\u2028\\';

  beforeAll(async () => {
    services = recordServices(await open());
    await services.objectTypes.create(services.work, workspace, anything);
  });

  test("equals the JSON of the record, whatever its data", async () => {
    const { resources } = services;
    const work = services.work.onBehalfOf(writer);
    await fc.assert(
      fc.asyncProperty(value, text, number, fc.array(value, { maxLength: 3 }), async (...parts) => {
        const [zebra, a, amount, list] = parts;
        const data = { list, number: amount, a, zebra } as JsonObject;
        const { id } = await resources.create(work, workspace, "thing", data);
        const record = await resources.get(work, workspace, "thing", id);
        const answer = await resources.getText(work, workspace, "thing", id);
        expect(answer.version).toBe(1);
        expect(answer.text).toBe(JSON.stringify(record));
        expect(JSON.parse(answer.text)).toEqual(JSON.parse(JSON.stringify({ ...record, data })));
      }),
      { numRuns: 100 },
    );
  });

  describe("in a list equals the JSON of the list", () => {
    test.each([
      ["no record", { where: '{"a":"in no record"}' }],
      ["the last record", { limit: 1, sort: "created_at" }],
      ["many with their number", { limit: 50, count: true }],
    ])("with %s", async (_, query) => {
      const { work, resources } = services;
      const caller = new AbortController();
      const answer = await resources.listText(work, workspace, "thing", query, caller);
      const list = await resources.list(work, workspace, "thing", query);
      expect(answer.join("")).toBe(JSON.stringify(list));
    });
  });
});
