import { describe, expect } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { base, makeRecord, unknownId } from "../routes/ledger.ts";
import { staff } from "./batch-data.ts";

const deletePath = `${base}/ledger/batch/delete`;

describePlatform("batches of records", (the) => {
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
