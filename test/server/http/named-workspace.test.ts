import { expect, test } from "vitest";
import { namedWorkspace } from "#server/http/named-workspace.ts";

const id = "6f1ed002-ab59-4c1e-8d10-000000000001";
const other = "6f1ed002-ab59-4c1e-8d10-000000000002";

function named(definition: object, parts: object = {}, header?: string): string | undefined {
  return namedWorkspace({
    route: { definition, parameterNames: ["tenantId"], workspaceParameter: 0 },
    headers: new Headers(header === undefined ? {} : { "x-tenant-id": header }),
    pathValues: [],
    search: "",
    query: undefined,
    body: undefined,
    ...parts,
  } as never);
}

test.each([
  [{ workspace: "header" }, {}, id],
  [{ workspace: "header" }, { search: `tenant_id=${id}` }, undefined],
  [{ workspace: "path" }, { pathValues: [id.toUpperCase()] }, undefined],
  [{ workspace: "path" }, { pathValues: [id] }, id],
  [{ workspace: "tenant_id" }, { body: { tenant_id: id } }, undefined],
  [{ workspace: "tenant_id", query: {} }, { query: { tenant_id: id } }, undefined],
  [{ workspace: "tenant_id" }, { body: {} }, id],
])("%j finds the workspace in %j", (definition, parts, header) => {
  expect(named(definition, parts, header)).toBe(id);
});

test.each([
  [{ workspace: "header" }, {}, undefined, "#/header/X-Tenant-Id", "is required"],
  [{ workspace: "path" }, { pathValues: ["x"] }, undefined, "#/path/tenantId", "must be a UUID"],
  [
    { workspace: "path" },
    { pathValues: [id] },
    other,
    "#/header/X-Tenant-Id",
    "must be the workspace of the path",
  ],
])("%j refuses %j with %s", (definition, parts, header, pointer, detail) => {
  expect(() => named(definition, parts, header)).toThrow(
    expect.objectContaining({
      options: expect.objectContaining({
        errors: [{ pointer, detail: expect.stringContaining(detail) }],
      }),
    }),
  );
});

test("a form may name its workspace later", () => {
  expect(named({ workspace: "header", body: { type: "multipart" } })).toBe(undefined);
});
