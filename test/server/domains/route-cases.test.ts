import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alertCases } from "./cases/alerts.ts";
import { appCases } from "./cases/apps.ts";
import { archiveCases } from "./cases/archives.ts";
import { fileCases } from "./cases/files.ts";
import { geoCases } from "./cases/geo.ts";
import { identityCases } from "./cases/identity.ts";
import { memberCases } from "./cases/members.ts";
import { objectTypeCases } from "./cases/object-types.ts";
import { resourceCases } from "./cases/resources.ts";
import { casesOf, kinds, type RouteTable } from "./cases/route-case.ts";
import { family, wantedKinds } from "./cases/route-tables.ts";
import { storageCases } from "./cases/storage.ts";
import { realtimeCases } from "./cases/realtime.ts";
import { verticalCases } from "./cases/verticals.ts";
import { webhookCases } from "./cases/webhooks.ts";
import { webhookSourceCases } from "./cases/webhook-sources.ts";
import { workflowCases } from "./cases/workflows.ts";
import { workspaceCases } from "./cases/workspaces.ts";

/** Every row of spec 4.2 to 4.6 as data; the `route-cases.test.ts` of each domain runs its own. */
const tables: readonly RouteTable[] = [
  resourceCases,
  fileCases,
  geoCases,
  objectTypeCases,
  storageCases,
  workspaceCases,
  archiveCases,
  memberCases,
  identityCases,
  appCases,
  realtimeCases,
  alertCases,
  verticalCases,
  webhookCases,
  webhookSourceCases,
  workflowCases,
];
const table: RouteTable = Object.assign({}, ...tables);

describe("the cases of spec 4.2 to 4.6", () => {
  test("are there for each of their routes, and for no other", () => {
    expect(Object.keys(table).toSorted()).toEqual([...family.keys()].toSorted());
  });

  test("are each in one table", () => {
    const ids = tables.flatMap((one) => Object.keys(one));
    expect(ids).toHaveLength(Object.keys(table).length);
  });

  test("of each table are run by one file", async () => {
    const files = await readdir(import.meta.dirname, { recursive: true });
    const runs = files.filter((file) => file.endsWith("/route-cases.test.ts"));
    const texts = await Promise.all(
      runs.map((file) => Bun.file(join(import.meta.dirname, file)).text()),
    );
    const run = texts.flatMap((text) => text.match(/(?<=describeRouteCases\(".+", )\w+/g) ?? []);
    expect(run).toHaveLength(tables.length);
    expect(new Set(run).size).toBe(tables.length);
  });

  test.each([...family].map(([id, definition]) => ({ id, definition })))(
    "of $id are of every kind, and its bad inputs have pointers",
    ({ id, definition }) => {
      const wanted = table[id];
      if (wanted === undefined) throw new Error(`there are no cases of ${id}`);
      const cases = casesOf(definition, wanted);
      expect(kinds.filter((kind) => cases[kind].length > 0)).toEqual(wantedKinds(definition));
      const pointed = cases["bad inputs"].filter(
        ({ expect: { status, pointers } }) =>
          // OGC API Features answers wrong parameters with 400.
          (status === 422 || status === 400) && pointers?.[0]?.startsWith("#"),
      );
      expect(pointed).not.toEqual([]);
    },
  );
});
