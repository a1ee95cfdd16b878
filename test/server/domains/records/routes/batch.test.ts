import { describe, expect, test } from "vitest";
import { apiCases, pointersOf } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { base, makeRecord, nextReference } from "./ledger.ts";
import { staff } from "../write/batch-data.ts";

const updatePath = `${base}/ledger/batch/update`;

describePlatform("batches of records", (the) => {
  describe("update", () => {
    const good = { id: "{id}", version: 1, data: { reference: "{taken}", title: "new" } };
    apiCases(the, [
      ...[[good], { items: [good] }, good].map((body) =>
        staff(updatePath, {
          name: `takes ${Array.isArray(body) ? "a list" : `{ ${Object.keys(body).join(", ")} }`}`,
          body,
          expect: {
            status: 200,
            body: { results: [{ index: 0, status: 200, version: 2 }], succeeded: 1, failed: 0 },
          },
        }),
      ),
      staff(updatePath, {
        name: "returns the refusal of each item that fails, and changes the others",
        body: [
          { id: "{foreignId}", version: 1, data: {} },
          { id: "{id}", version: 2, data: { reference: "{one}" } },
          good,
        ],
        expect: {
          status: 207,
          body: {
            results: [
              { status: 404, error: { code: "not-found" } },
              { status: 409, error: { code: "version-conflict", currentVersion: 1 } },
              { status: 422, error: { errors: [{ pointer: "#/2/id" }] } },
            ],
          },
        },
      }),
      staff(updatePath, {
        name: "refuses an atomic batch with a missing record",
        body: { atomic: true, items: [good, { ...good, id: "{foreignId}" }] },
        expect: { status: 404, code: "not-found", pointers: ["#/items/1"] },
      }),
      staff(updatePath, {
        name: "refuses an item without version",
        body: { items: [good, { id: "{id}", data: {} }] },
        expect: { status: 422, pointers: ["#/items/1/version"] },
      }),
      staff(updatePath, {
        name: "points into the data of an item",
        body: [{ ...good, data: { reference: "{taken}", amount: "much" } }],
        expect: {
          status: 207,
          body: { results: [{ status: 422, error: { errors: [{ pointer: "#/0/data/amount" }] } }] },
        },
      }),
    ]);

    test.each(["check", "unit"])(
      "changes nothing of an atomic batch with an item that fails in its %s",
      async (step) => {
        const one = await makeRecord(the());
        const other = await makeRecord(the());
        const { tenant } = the().workspaces;
        const user = the().as("tenant-staff");
        const data = step === "check" ? {} : { reference: one.reference };
        const items = [
          { id: one.id, version: 1, data: { reference: one.reference, title: "new" } },
          { id: other.id, version: 1, data },
        ];
        const path = `/v4/data/resources/${tenant}/ledger/batch/update`;
        const answered = await user.post(path, { items, atomic: true });
        expect(pointersOf(answered.json)).toEqual(["#/items/1/data/reference"]);
        const stored = await user.get(`/v4/data/resources/${tenant}/ledger/${one.id}`);
        expect(stored.json).toMatchObject({ version: 1 });
      },
    );

    test("passes a unique value on from one record to the next", async () => {
      const first = await makeRecord(the());
      const second = await makeRecord(the());
      const third = await makeRecord(the());
      const spare = nextReference();
      const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/batch/update`;
      const answered = await the()
        .as("tenant-staff")
        .post(path, [
          { id: first.id, version: 1, data: { reference: spare } },
          { id: second.id, version: 1, data: { reference: first.reference } },
          { id: third.id, version: 1, data: { reference: spare } },
        ]);
      expect(answered.json).toMatchObject({
        results: [
          { status: 200, version: 2 },
          { status: 200, version: 2 },
          { status: 409, error: { errors: [{ pointer: "#/2/data/reference" }] } },
        ],
      });
    });

    test("loses no update of twenty writers with versions", async () => {
      const records = await Promise.all([makeRecord(the()), makeRecord(the())]);
      const { tenant } = the().workspaces;
      const path = `/v4/data/resources/${tenant}/ledger/batch/update`;
      const user = the().as("tenant-staff");
      const items = records.map(({ id, reference }) => ({ id, version: 1, data: { reference } }));
      const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, items)));
      const done = answers.map(({ json }) => Number(field(json, "succeeded")));
      expect(done.filter((count) => count > 0)).toEqual([2]);
      const stored = await user.get(`/v4/data/resources/${tenant}/ledger/${records[0]?.id}`);
      expect(field(stored.json, "version")).toBe(2);
    });
  });
});
