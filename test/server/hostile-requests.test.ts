import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { problem } from "#contract/problems.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { describePlatform, type CallOptions } from "#test/support/platform.ts";

const all = Object.entries(routes).flatMap(([domain, definitions]) =>
  Object.entries<RouteDefinition>(definitions).map(([name, definition]) => ({
    id: `${domain}.${name}`,
    definition,
  })),
);

/** Hostile values for an id, a name, a number or a filter. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e309",
    "NaN",
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "toString",
    "../../etc/passwd",
    "%00",
    "'; drop table users; --",
    "{}",
    "[]",
    '{"$where":"1"}',
    '{"a":{"$regex":"(a+)+$"}}',
    '{"$or":[]}',
    '{"$and":[{"a":{"$in":[null,{},[]]}}]}',
    "-created_at,data.x",
    "DOC-2026-000001",
    "01900000-0000-7000-8000-000000000001",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "é".repeat(300),
    "x".repeat(2000),
  ),
);
const members = fc.constantFrom(
  "data",
  "version",
  "slug",
  "name",
  "displayName",
  "properties",
  "email",
  "role",
  "message",
  "params",
  "conversation_id",
  "linkTypes",
  "actions",
  "homeRegion",
);
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.dictionary(members, fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value)),
  text,
);
const request = fc.record({
  params: fc.array(text, { minLength: 4, maxLength: 4 }),
  inWorkspace: fc.boolean(),
  query: fc.dictionary(
    fc.constantFrom("page", "limit", "sort", "where", "cursor", "count", "search", "job_id", "x"),
    text,
    { maxKeys: 4 },
  ),
  body: json,
  fields: fc.dictionary(
    fc.constantFrom(
      "if-match",
      "if-none-match",
      "idempotency-key",
      "accept",
      "range",
      "traceparent",
    ),
    fc.string({ maxLength: 60 }),
    { maxKeys: 3 },
  ),
});
type Hostile = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const runs = 40;

describePlatform("a hostile request", (the) => {
  describe("is answered without a failure of the platform, at", () => {
    test.each(all)(
      "$id",
      async ({ definition }) => {
        await fc.assert(
          fc.asyncProperty(request, async (hostile) => {
            const { path, options } = sent(definition, hostile, the().workspaces.tenant);
            const caller = the().as("system-admin");
            const response = await caller.fetch(definition.method, path, options);
            const body = await response.text();
            expect({ status: response.status, body }).toMatchObject({
              status: expect.toSatisfy((status: number) => status < 500),
            });
            if (response.status >= 400) problem.parse(JSON.parse(body));
            expect(body).not.toMatch(/\bat .+:\d+:\d+/);
          }),
          { numRuns: runs },
        );
      },
      60_000,
    );
  });

  test("leaves no failure in the log", () => {
    expect(the().log).toEqual([]);
  });
});

/** The request as any client may send it; half of them are for the caller's workspace. */
function sent(
  definition: RouteDefinition,
  hostile: Hostile,
  workspace: string,
): { readonly path: string; readonly options: CallOptions } {
  const { params, inWorkspace, query, body, fields } = hostile;
  let next = 0;
  const path = definition.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (inWorkspace && (name === "tenantId" || name === "parentId")) return workspace;
    const value = params[next] ?? "";
    next += 1;
    return encodeURIComponent(value.toWellFormed());
  });
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join("&");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    // A client cannot send other characters in a field value.
    if (/^[\t\x20-\x7e]*$/.test(value)) headers[name] = value.trim();
  }
  if (definition.workspace === "header") {
    headers["x-tenant-id"] = inWorkspace ? workspace : "01900000-0000-7000-8000-00000000dead";
  }
  const type = definition.body?.type;
  if (type === "json") headers["content-type"] = "application/json";
  if (type === "multipart") headers["content-type"] = "multipart/form-data; boundary=b";
  const hasBody = type !== undefined;
  return {
    path: search === "" ? path : `${path}?${search}`,
    options: { headers, ...(hasBody ? { rawBody: body.toWellFormed() } : {}) },
  };
}
