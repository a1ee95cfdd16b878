import { expect, test } from "vitest";
import { domains } from "#contract/domains.ts";
import { routes } from "#contract/index.ts";

test("each domain loads the routes that the contract has for it", async () => {
  const loaded = await Promise.all(
    Object.entries(domains).map(async ([name, load]) => [name, await load()] as const),
  );
  expect(Object.fromEntries(loaded)).toEqual(routes);
});
