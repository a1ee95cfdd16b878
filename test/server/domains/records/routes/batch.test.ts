import { describe, expect, test } from "vitest";
import { apiCases, pointersOf, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { base, ensureLedger, makeRecord, nextReference, unknownId } from "./ledger.ts";

const createPath = `${base}/ledger/batch/create`;
const updatePath = `${base}/ledger/batch/update`;
const deletePath = `${base}/ledger/batch/delete`;

/** Two new references, as `{one}` and `{two}`, and a stored record. */
async function fresh(the: TestPlatform): Promise<Record<string, string>> {
  const { id, reference, foreignId } = await makeRecord(the, { title: "stored" });
  return { id, taken: reference, foreignId, one: nextReference(), two: nextReference() };
}

function staff(path: string, wanted: Omit<ApiCase, "as" | "method" | "path" | "before">): ApiCase {
  return { as: "tenant-staff", method: "POST", path, before: fresh, ...wanted };
}

describePlatform("batches of records", (the) => {
  describe("creation", () => {
    const made = { status: 201, version: 1 };
    const pair = [{ reference: "{one}" }, { data: { reference: "{two}", title: "wrapped" } }];
    apiCases(the, [
      ...[pair, { items: pair }, { items: pair, atomic: true }].map((body) =>
        staff(createPath, {
          name: `takes ${Array.isArray(body) ? "a list" : `{ ${Object.keys(body).join(", ")} }`}`,
          body,
          expect: {
            status: 200,
            body: {
              results: [
                { index: 0, ...made },
                { index: 1, ...made },
              ],
              succeeded: 2,
              failed: 0,
            },
          },
          after: async (platform, answered) => {
            const [first, second] = field(answered.json, "results") as unknown[];
            const stored = await platform
              .as("tenant-viewer")
              .get(
                `${base.replace("{tenant}", platform.workspaces.tenant)}/ledger/${String(field(second, "id"))}`,
              );
            expect(stored.json).toMatchObject({ data: { title: "wrapped", status: "open" } });
            // The ids have the order of the request: the newest is the last.
            expect(String(field(first, "id")) < String(field(second, "id"))).toBe(true);
          },
        }),
      ),
      staff(createPath, {
        name: "takes one object",
        body: { reference: "{one}" },
        expect: { status: 200, body: { results: [{ index: 0, ...made }], succeeded: 1 } },
      }),
      staff(createPath, {
        name: "returns the refusal of each item that fails, and creates the others",
        body: {
          items: [
            { reference: "{one}" },
            { reference: "{taken}" },
            { title: "no reference", amount: -1 },
            { data: { reference: "{one}" } },
            { reference: "{two}", parent: unknownId },
          ],
        },
        expect: {
          status: 207,
          body: {
            succeeded: 1,
            failed: 4,
            results: [
              { index: 0, ...made },
              {
                index: 1,
                status: 409,
                error: { code: "already-exists", errors: [{ pointer: "#/items/1/reference" }] },
              },
              {
                index: 2,
                status: 422,
                error: {
                  code: "validation-failed",
                  errors: [{ pointer: "#/items/2/reference" }, { pointer: "#/items/2/amount" }],
                },
              },
              {
                index: 3,
                status: 409,
                error: { errors: [{ pointer: "#/items/3/data/reference" }] },
              },
              { index: 4, status: 422, error: { errors: [{ pointer: "#/items/4/parent" }] } },
            ],
          },
        },
      }),
      ...[
        {
          name: "an invalid item",
          item: { title: "no reference" },
          status: 422,
          place: "#/items/1/reference",
        },
        {
          name: "a value that is taken",
          item: { reference: "{taken}" },
          status: 409,
          place: "#/items/1/reference",
        },
        {
          name: "a reference to nothing",
          item: { reference: "{two}", parent: unknownId },
          status: 422,
          place: "#/items/1/parent",
        },
      ].map(({ name, item, status, place }) =>
        staff(createPath, {
          name: `creates nothing of an atomic batch with ${name}`,
          body: { items: [{ reference: "{one}", title: "atomic" }, item], atomic: true },
          expect: { status, pointers: [place] },
          after: async (platform) => {
            const where = encodeURIComponent('{"title":"atomic"}');
            const list = await platform
              .as("tenant-viewer")
              .get(`/v4/data/resources/${platform.workspaces.tenant}/ledger?where=${where}`);
            expect(field(list.json, "items")).toEqual([]);
          },
        }),
      ),
      ...[
        { name: "an empty list", body: [], place: "#" },
        { name: "an empty { items }", body: { items: [] }, place: "#/items" },
        { name: "an item that is no object", body: [{ reference: "x" }, 5], place: "#/1" },
        { name: "1,001 items", body: Array.from({ length: 1001 }, () => ({})), place: "#" },
        {
          name: "1,001 { items }",
          body: { items: Array.from({ length: 1001 }, () => ({})) },
          place: "#/items",
        },
      ].map(({ name, body, place }) =>
        staff(createPath, {
          name: `refuses ${name}`,
          body,
          expect: { status: 422, code: "validation-failed", pointers: [place] },
        }),
      ),
    ]);

    test("with an Idempotency-Key runs once", async () => {
      await ensureLedger(the());
      const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/batch/create`;
      const items = [{ reference: nextReference() }, { amount: 1 }];
      const headers = { "idempotency-key": crypto.randomUUID() };
      const user = the().as("tenant-staff");
      const first = await user.post(path, { items }, { headers });
      const second = await user.post(path, { items }, { headers });
      expect([first.status, second.status]).toEqual([207, 207]);
      expect(second.json).toEqual(first.json);
      expect(second.headers.get("idempotency-replayed")).toBe("true");
    });

    test("counts the created records, and writes the history of each", async () => {
      await ensureLedger(the());
      const { tenant } = the().workspaces;
      const place = `/v4/data/resources/${tenant}/ledger`;
      const user = the().as("tenant-staff");
      const totalOf = async (): Promise<number> =>
        Number(field((await user.get(`${place}?count=true&limit=1`)).json, "total"));
      const before = await totalOf();
      const items = Array.from({ length: 300 }, () => ({ reference: nextReference(), amount: 1 }));
      const made = await user.post(`${place}/batch/create`, [...items, { reference: 7 }]);
      expect(made.json).toMatchObject({ succeeded: 300, failed: 1 });
      expect((await totalOf()) - before).toBe(300);
      const ids = (field(made.json, "results") as unknown[])
        .slice(0, 300)
        .map((result) => String(field(result, "id")));
      const history = await user.get(`${place}/${ids[299]}/history`);
      expect(history.json).toMatchObject({ items: [{ version: 1, operation: "create" }] });
      const gone = await user.post(`${place}/batch/delete`, { ids });
      expect(gone.json).toMatchObject({ succeeded: 300, failed: 0 });
      expect(await totalOf()).toBe(before);
    });
  });

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

  describe("deletion", () => {
    const ok = { results: [{ index: 0, status: 204, version: 2 }], succeeded: 1, failed: 0 };
    const shapes: readonly unknown[] = [
      ["{id}"],
      [{ id: "{id}", version: 1 }],
      { ids: ["{id}"] },
      { items: [{ id: "{id}" }], atomic: true },
      { id: "{id}" },
    ];
    apiCases(the, [
      ...shapes.map((body) =>
        staff(deletePath, {
          name: `takes ${JSON.stringify(body)}`,
          body,
          expect: { status: 200, body: ok },
        }),
      ),
      staff(deletePath, {
        name: "reports records that are missing or have changed",
        body: { items: ["{foreignId}", { id: "{id}", version: 7 }, "{id}", "{id}"] },
        expect: {
          status: 207,
          body: {
            results: [
              { status: 404 },
              { status: 409, error: { code: "version-conflict", currentVersion: 1 } },
              { status: 204 },
              { status: 404 },
            ],
            succeeded: 1,
            failed: 3,
          },
        },
      }),
      {
        name: "deletes nothing of an atomic batch with a missing record",
        as: "tenant-staff",
        method: "POST",
        path: deletePath,
        before: (platform) => makeRecord(platform, { title: "kept" }),
        body: { ids: ["{id}", unknownId], atomic: true },
        expect: { status: 404, code: "not-found", pointers: ["#/ids/1"] },
        after: async (platform) => {
          const where = encodeURIComponent('{"title":"kept"}');
          const list = await platform
            .as("tenant-viewer")
            .get(`/v4/data/resources/${platform.workspaces.tenant}/ledger?where=${where}`);
          expect(field(list.json, "items")).toHaveLength(1);
        },
      },
      staff(deletePath, {
        name: "refuses an invalid id",
        body: { ids: ["{id}", "nonsense"] },
        expect: { status: 422, pointers: ["#/ids/1"] },
      }),
    ]);
  });
});
