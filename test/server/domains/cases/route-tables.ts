import { describe } from "vitest";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { casesOf, kinds, type Kind, type RouteTable } from "./route-case.ts";

/** The routes of spec 4.2 to 4.6, by `domain.name`. */
export const family: ReadonlyMap<string, RouteDefinition> = new Map(
  Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.entries<RouteDefinition>(definitions)
      .filter(
        ([, { path, source }]) =>
          /^\/v4\/data\/resources\b|\/resourceapi\//.test(path) ||
          /\bspec 4\.[456]\b/.test(source) ||
          path.startsWith("/v4/webhooks/") ||
          path.startsWith("/v4/realtime/") ||
          path === "/v4/identity/me/marks" ||
          path.startsWith("/v4/platform/tenants/{tenantId}/archive") ||
          /^\/v4\/platform\/(?:.+\/restore|tenants\/\{tenantId\})$/.test(path),
      )
      .map(([name, definition]): [string, RouteDefinition] => [`${domain}.${name}`, definition]),
  ),
);

/** The kinds of cases that a route needs, by its access, workspace and keys. */
export function wantedKinds({ access, workspace, idempotent }: RouteDefinition): readonly Kind[] {
  return kinds.filter(
    (kind) =>
      !(kind === "roles" && access === "public") &&
      !(kind === "another workspace" && workspace === "none") &&
      !(kind === "retries" && idempotent !== true),
  );
}

/** The cases of a table as tests on both databases; see `route-case.ts` for their form. */
export function describeRouteCases(
  name: string,
  cases: RouteTable,
  options?: Parameters<typeof describePlatform>[2],
): void {
  describePlatform(
    `every route of ${name}`,
    (the) => {
      for (const [id, wanted] of Object.entries(cases)) {
        const definition = family.get(id);
        if (definition === undefined) continue;
        describe(id, () => {
          for (const kind of wantedKinds(definition)) {
            describe(kind, () => apiCases(the, casesOf(definition, wanted)[kind]));
          }
        });
      }
    },
    options,
  );
}
