import { describe, expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { base, ensureLedger, nextReference, unknownId } from "../routes/ledger.ts";
import { staff } from "./batch-data.ts";

const createPath = `${base}/ledger/batch/create`;

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
});
