import { expect, test } from "vitest";
import { pageDomains } from "#contract/plain/page-domains.ts";
import { domainNames, domainTable, loadShapes } from "#contract/plain/route-table.ts";

/** The places of shapes that a domain's routes name. */
function placesOf(routes: object): number[] {
  return Object.values(routes).flatMap((route: Record<string, unknown>) =>
    ["params", "query", "events", "alternative"].flatMap((part) => {
      const place = route[part];
      return typeof place === "number" ? [place] : [];
    }),
  );
}

test("a page has the shapes of its domains without a further script", () => {
  for (const domain of pageDomains) expect(loadShapes(domain)).toBeUndefined();
});

test("after they are loaded, each place of each domain has a shape", async () => {
  for (const domain of domainNames) {
    await loadShapes(domain);
    const { routes, shapes } = domainTable(domain);
    for (const place of placesOf(routes)) expect(shapes[place], domain).toBeDefined();
  }
});
