import { expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { configurationTypes } from "#contract/access/configuration-types.ts";
import { Products } from "#server/domains/verticals/products.ts";
import type { Work } from "#server/work/work.ts";

/** The data of the only record of each type, by workspace; all have one id and version. */
const recordsOf = (path: string): Readonly<Record<string, JsonObject>> => ({
  [configurationTypes.enrollment]: { vertical_key: "portal", status: "active" },
  [configurationTypes.binding]: {
    vertical_key: "portal",
    status: "active",
    config: { routes: [{ method: "GET", path, type: "ledger" }] },
  },
});

test("a binding whose id an archive brought into another workspace declares its own routes", async () => {
  // The products only pass it on to the records.
  const work = {} as Work;
  const products = new Products({
    findRecords: (_work, workspaceId, slug) => {
      const data = recordsOf(workspaceId)[slug] ?? {};
      const at = "2026-03-01T00:00:00.000Z";
      const about = { id: "binding", version: 1, created_at: at, updated_at: at };
      return Promise.resolve([{ ...about, objectType: slug, data }]);
    },
  });
  for (const workspace of ["entries", "other", "entries"]) {
    const { routes } = await products.require(work, workspace, "portal");
    expect(routes.map(({ route }) => route.path)).toEqual([workspace]);
  }
});
