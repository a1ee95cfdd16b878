import { expect, test } from "vitest";
import { workspaceInAddress } from "#commands/publicapi/any-route.ts";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";

const named = "01890000-0000-7000-8000-00000000000a";
const other = "01890000-0000-7000-8000-00000000000b";
const definitions = Object.values(routes).flatMap((domain) =>
  Object.values<RouteDefinition>(domain),
);

test.each(definitions)("$method $path", ({ path, workspace }) => {
  let isFirst = true;
  const address = path.replaceAll(/\{\w+\}/g, () => {
    const value = isFirst ? named : other;
    isFirst = false;
    return value;
  });
  // A parent that acts on its child is always sent as X-Tenant-Id.
  const isParents = path.includes("{parentId}");
  const names = workspace === "path" || isParents;
  expect(workspaceInAddress(address, [])).toBe(names ? named : undefined);
});

test.each(["a=b", "a=b?"])("a query in the address is read: %s", (first) => {
  const address = `/v4/workflows/runtime/x/status?${first}&tenant_id=${named}`;
  expect(workspaceInAddress(address, [])).toBe(named);
});
