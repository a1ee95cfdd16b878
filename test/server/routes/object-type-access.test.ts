import { expect } from "vitest";
import {
  apiCases,
  describePlatform,
  field,
  type ApiCase,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";

const path = "/v4/data/resources/object-types";
const inTenant = { "x-tenant-id": "{tenant}" };

let count = 0;
/** A definition with a name and slug of its own, so that cases don't meet. */
function creation(extra: object = {}): { name: string; slug: string; properties: object } {
  count += 1;
  return {
    name: `Case${count}`,
    slug: `case-${count}`,
    properties: { title: { type: "string", required: true } },
    ...extra,
  };
}

async function make(the: TestPlatform, extra: object = {}): Promise<Record<string, string>> {
  const made = await the
    .as("tenant-builder")
    .post(path, creation(extra), { headers: { "x-tenant-id": the.workspaces.tenant } });
  expect(made.status, made.text).toBe(201);
  return { id: String(field(made.json, "id")), slug: String(field(made.json, "slug")) };
}

function refused(as: TestUser | "nobody", method: string, status: 401 | 403 | 404): ApiCase {
  const isUpdate = method === "PATCH";
  return {
    name: `${as} is refused ${method} with ${status}`,
    as,
    method,
    path: isUpdate ? `${path}/{id}` : path,
    headers: inTenant,
    ...(method === "GET" ? {} : { body: isUpdate ? { description: "x" } : creation() }),
    before: (the) => make(the),
    expect: {
      status,
      code: ({ 401: "unauthenticated", 403: "permission-denied", 404: "not-found" } as const)[
        status
      ],
    },
  };
}

describePlatform("who may see and change Object Types", (the) => {
  apiCases(the, [
    refused("nobody", "GET", 401),
    refused("outsider", "GET", 404),
    refused("nobody", "POST", 401),
    refused("tenant-viewer", "POST", 403),
    refused("tenant-staff", "POST", 403),
    refused("outsider", "POST", 404),
    refused("nobody", "PATCH", 401),
    refused("tenant-viewer", "PATCH", 403),
    refused("tenant-staff", "PATCH", 403),
    refused("outsider", "PATCH", 404),
    {
      name: "nobody is refused the schema with 401",
      as: "nobody",
      method: "GET",
      path: "/v4/data/resources/schema/{tenant}",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "an outsider's schema of this workspace is not found",
      as: "outsider",
      method: "GET",
      path: "/v4/data/resources/schema/{tenant}",
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "a type of another workspace is not found",
      as: "system-admin",
      method: "PATCH",
      path: `${path}/{id}`,
      headers: { "x-tenant-id": "{other}" },
      body: { description: "stolen" },
      before: (platform) => make(platform),
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "a request without a workspace is refused",
      method: "GET",
      path,
      expect: { status: 422, code: "validation-failed" },
    },
  ]);
});
