import { expect, test } from "vitest";
import { markerFault } from "#client/records/workspace-marker.ts";

const id = "6f1ed002-ab59-4c1e-8d10-000000000001";

test.each([
  [{}, undefined],
  [null, undefined],
  [{ tenant_id: id }, undefined],
  [{ tenantId: id.toUpperCase() }, undefined],
  [{ tenant: id.replaceAll("-", "") }, undefined],
  [{ tenant_id: id.replace("1e", "2e") }, "belongs to another workspace"],
  [{ tenant_id: id, tenantId: id.replace("ab", "ac") }, "belongs to another workspace"],
  [{ tenant_id: 7 }, "has a malformed workspace marker"],
  [{ tenant_id: undefined }, "has a malformed workspace marker"],
  [{ tenant: "planning" }, "has a malformed workspace marker"],
])("the marker of %j", (record, fault) => {
  expect(markerFault(record, id)).toBe(fault);
});
