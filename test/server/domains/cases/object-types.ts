import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import type { RouteTable } from "./route-case.ts";

const properties = { title: { type: "string", required: true } };

let count = 0;

/** A type here, as `{typeId}` and `{slug}`, one elsewhere, `{foreignId}`, and unused names. */
async function type(the: TestPlatform): Promise<Record<string, string>> {
  const make = async (user: "tenant-builder" | "outsider", workspace: string) => {
    count += 1;
    const body = { name: `Case${count}`, slug: `case-${count}`, properties };
    const headers = { "x-tenant-id": workspace };
    const made = await the.as(user).post("/v4/data/resources/object-types", body, { headers });
    expect(made.status, made.text).toBe(201);
    return { id: String(field(made.json, "id")), slug: body.slug, name: body.name };
  };
  const made = await make("tenant-builder", the.workspaces.tenant);
  const foreign = await make("outsider", the.workspaces.other);
  count += 1;
  return {
    typeId: made.id,
    slug: made.slug,
    name: made.name,
    foreignId: foreign.id,
    newSlug: `case-${count}`,
    newName: `Case${count}`,
  };
}

const creation = { name: "{newName}", slug: "{newSlug}", properties };

/** Object Types as in spec 4.3. */
export const objectTypeCases: RouteTable = {
  "objectTypes.list": {
    before: type,
    good: [{ name: "lists", query: "?limit=1&count=true", answers: { page: 1, limit: 1 } }],
    bad: [
      { name: "no workspace", headers: { "x-tenant-id": "" }, pointers: ["#/header/X-Tenant-Id"] },
      { name: "a limit of 501", query: "?limit=501", pointers: ["#/query/limit"] },
      { name: "an order: it is that of the ids", query: "?sort=slug", pointers: ["#/query/sort"] },
      { name: "a made-up cursor", query: "?cursor=a.b", pointers: ["#/query/cursor"] },
    ],
  },
  "objectTypes.create": {
    before: type,
    good: [
      {
        name: "makes",
        body: creation,
        status: 201,
        answers: { slug: "{newSlug}", name: "{newName}", version: 1, status: "published" },
      },
    ],
    bad: [
      { name: "neither name nor slug", body: { properties }, pointers: ["#/name", "#/slug"] },
      {
        name: "each fault of the properties",
        body: {
          ...creation,
          properties: {
            a: { type: "text", minimum: 1 },
            b: { type: "enum" },
            c: { type: "reference", targetObjectType: "nowhere" },
          },
        },
        pointers: [
          "#/properties/a/minimum",
          "#/properties/b/enum",
          "#/properties/c/targetObjectType",
        ],
      },
      {
        name: "a slug that is taken",
        body: { ...creation, slug: "{slug}" },
        status: 409,
        code: "already-exists",
        pointers: ["#/slug"],
      },
    ],
  },
  "objectTypes.update": {
    before: type,
    good: [
      {
        name: "changes",
        params: { objectTypeId: "{typeId}" },
        body: { displayName: "Another name", version: 1 },
        answers: { id: "{typeId}", displayName: "Another name", version: 2 },
      },
    ],
    bad: [
      { name: "another slug", body: { slug: "moved" }, pointers: ["#/slug"] },
      {
        name: "a fault of the properties",
        body: { properties: { a: { type: "text", minimum: 1 } } },
        pointers: ["#/properties/a/minimum"],
      },
      {
        name: "a version that is not current",
        body: { displayName: "Late", version: 2 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
      {
        name: "another version in If-Match",
        headers: { "if-match": '"2"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "objectTypes.batch": {
    before: type,
    good: [
      {
        name: "makes and changes",
        body: { create: [creation], update: [{ id: "{typeId}", displayName: "Another name" }] },
        answers: {
          created: [{ slug: "{newSlug}", version: 1 }],
          updated: [{ id: "{typeId}", displayName: "Another name", version: 2 }],
        },
      },
      { name: "has nothing to do", body: {}, answers: { created: [], updated: [] } },
    ],
    bad: [
      {
        name: "a fault of one, which takes all with it",
        body: {
          create: [creation, { ...creation, slug: "Not Kebab" }],
          update: [{ id: "{typeId}", properties: { a: { type: "no" } } }],
        },
        pointers: ["#/create/1/slug", "#/update/0/properties/a/type"],
      },
      {
        name: "a target that is not there",
        body: {
          create: [{ ...creation, linkTypes: [{ name: "to", targetObjectType: "nowhere" }] }],
        },
        pointers: ["#/create/0/linkTypes/0/targetObjectType"],
      },
      {
        name: "a version that is not current",
        body: { update: [{ id: "{typeId}", displayName: "Late", version: 2 }] },
        status: 409,
        code: "version-conflict",
        pointers: ["#/update/0/version"],
      },
      {
        name: "another workspace's type",
        body: { update: [{ id: "{foreignId}", displayName: "Stolen" }] },
        status: 404,
        code: "not-found",
        pointers: ["#/update/0/id"],
      },
    ],
  },
  "objectTypes.schema": {
    before: type,
    good: [{ name: "shows every type with its count", answers: { tenantId: "{tenant}" } }],
    bad: [{ name: "an unknown name", query: "?page=2", pointers: ["#/query/page"] }],
  },
};
