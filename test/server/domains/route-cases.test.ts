import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";
import { appCases } from "./cases/apps.ts";
import { fileCases } from "./cases/files.ts";
import { identityCases } from "./cases/identity.ts";
import { memberCases } from "./cases/members.ts";
import { objectTypeCases } from "./cases/object-types.ts";
import { resourceCases } from "./cases/resources.ts";
import { casesOf, kinds, type Kind, type RouteTable } from "./cases/route-case.ts";
import { storageCases } from "./cases/storage.ts";
import { workflowCases } from "./cases/workflows.ts";
import { workspaceCases } from "./cases/workspaces.ts";

/** Every row of spec 4.2 to 4.5, asked as data: see `cases/route-case.ts` for the form. */
const tables = {
  resources: resourceCases,
  files: fileCases,
  types: objectTypeCases,
  storage: storageCases,
};
const platformTables = {
  workspaces: workspaceCases,
  members: memberCases,
  identity: identityCases,
  apps: appCases,
  workflows: workflowCases,
};
const allTables = { ...tables, ...platformTables };
const table: RouteTable = Object.assign({}, ...Object.values(allTables));

/** The routes of these families, by `domain.name`. */
const family = new Map<string, RouteDefinition>(
  Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.entries<RouteDefinition>(definitions)
      .filter(
        ([, { path, source }]) =>
          /^\/v4\/data\/resources\b|\/resourceapi\//.test(path) ||
          /\bspec 4\.[45]\b/.test(source) ||
          path.endsWith("/restore"),
      )
      .map(([name, definition]): [string, RouteDefinition] => [`${domain}.${name}`, definition]),
  ),
);

/** The kinds of cases that a route needs, by its access, workspace and keys. */
function wantedKinds({ access, workspace, idempotent }: RouteDefinition): readonly Kind[] {
  return kinds.filter(
    (kind) =>
      !(kind === "roles" && access === "public") &&
      !(kind === "another workspace" && workspace === "none") &&
      !(kind === "retries" && idempotent !== true),
  );
}

describe("the cases of spec 4.2 to 4.5", () => {
  test("are there for each of their routes, and for no other", () => {
    expect(Object.keys(table).toSorted()).toEqual([...family.keys()].toSorted());
  });

  test("are each in one table", () => {
    const ids = Object.values(allTables).flatMap((one) => Object.keys(one));
    expect(ids).toHaveLength(Object.keys(table).length);
  });

  test.each([...family].map(([id, definition]) => ({ id, definition })))(
    "of $id are of every kind, and its bad inputs have pointers",
    ({ id, definition }) => {
      const wanted = table[id];
      if (wanted === undefined) throw new Error(`there are no cases of ${id}`);
      const cases = casesOf(definition, wanted);
      expect(kinds.filter((kind) => cases[kind].length > 0)).toEqual(wantedKinds(definition));
      const pointed = cases["bad inputs"].filter(
        ({ expect: { status, pointers } }) => status === 422 && pointers?.[0]?.startsWith("#"),
      );
      expect(pointed).not.toEqual([]);
    },
  );
});

for (const [name, cases] of Object.entries(allTables)) {
  const body = (the: () => TestPlatform): void => {
    for (const [id, wanted] of Object.entries<RouteTable[string]>(cases)) {
      const definition = family.get(id);
      if (definition === undefined) continue;
      describe(id, () => {
        for (const kind of wantedKinds(definition)) {
          describe(kind, () => apiCases(the, casesOf(definition, wanted)[kind]));
        }
      });
    }
  };
  describePlatform(`every route of ${name}`, body, { alsoInThread: name in tables });
}
