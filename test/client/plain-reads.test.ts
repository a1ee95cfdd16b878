import { describe, expect, it } from "vitest";
import { createClient } from "#client/client.ts";
import { errorOf, problem, serve, tenantId } from "./servers.ts";

const id = "01890000-0000-7000-8000-000000000001";
const record = {
  id,
  type: "tree",
  version: 3,
  data: { species: "elm", place: { x: 1 }, tags: [] },
  created_at: "2026-11-24T03:00:00.000Z",
  updated_at: "2026-11-24T03:00:00.000Z",
  created_by: "a",
  updated_by: "b",
};
const list = { items: [record], page: 1, limit: 20, hasNextPage: false, nextCursor: null };

/** The result of both ways: plain, and by schema, as a client reads that keeps answers. */
async function bothWays(
  answer: () => Response,
  call: (client: ReturnType<typeof createClient>) => Promise<unknown>,
) {
  const server = serve(answer);
  const options = { baseUrl: server.url, token: "t", tenantId };
  const outcomes: unknown[] = [];
  for (const more of [{}, { keptAnswers: 4 }]) {
    const before = server.seen.length;
    const value = await call(createClient({ ...options, ...more })).catch(
      (error: unknown) => error,
    );
    const requests = server.seen.slice(before).map(({ method, path }) => `${method} ${path}`);
    const { tenant, authorization } = Object.fromEntries(
      server.seen.slice(before).flatMap(({ headers }) => [
        ["tenant", headers.get("x-tenant-id")],
        ["authorization", headers.get("authorization")],
      ]),
    );
    const json =
      value instanceof Error
        ? Object.fromEntries([...Object.entries(value), ["message", value.message]])
        : value;
    outcomes.push({ json: JSON.stringify(json), requests, tenant, authorization });
  }
  return outcomes;
}

const answers: readonly [name: string, body: unknown][] = [
  ["a plain record", record],
  ["a record with another member", { ...record, etag: "x" }],
  ["a record without times", { id, version: 1, data: {} }],
  ["a record under other names", { ...record, created_at: undefined, createdAt: 5 }],
  ["a record with a version as text", { ...record, version: "3" }],
  ["a wrapped record", { data: record }],
  ["no record", { ok: true }],
  ["a list", list],
  ["a list of nothing", { ...list, items: [] }],
  ["a list with another record", { ...list, items: [record, { id }] }],
  ["a list that is counted", { ...list, total: 1 }],
  ["a list under other names", { items: [record], pageNumber: 1 }],
];

describe("a plain read gives what the schema gives, in one request:", () => {
  it.each(answers)("one record, answered with %s", async (_name, body) => {
    const [plain, schema] = await bothWays(
      () => Response.json(body),
      (client) => client.useResources("tree").get(id),
    );
    expect(plain).toEqual(schema);
    expect(plain).toMatchObject({
      requests: [`GET /v4/data/resources/${tenantId}/tree/${id}`],
      tenant: tenantId,
      authorization: "Bearer t",
    });
  });

  it.each(answers)("a list, answered with %s", async (_name, body) => {
    const [plain, schema] = await bothWays(
      () => Response.json(body),
      (client) => client.useResources("tree").list({ page: 1, limit: 20, sort: "-created_at" }),
    );
    expect(plain).toEqual(schema);
    const query = "?page=1&limit=20&sort=-created_at";
    expect(plain).toMatchObject({ requests: [`GET /v4/data/resources/${tenantId}/tree${query}`] });
  });

  it.each([
    ["a refusal", () => problem(404, "not-found")],
    ["a page of a portal", () => new Response("<title>Sign in</title>")],
    ["an empty answer", () => new Response("")],
    ["text that nests too deep", () => new Response("[".repeat(5_000) + "]".repeat(5_000))],
  ])("%s is the same error", async (_name, answer) => {
    const [plain, schema] = await bothWays(answer, (client) => client.useResources("tree").get(id));
    expect(plain).toEqual(schema);
  });

  it.each([
    ["../x", id],
    ["tree", "../x"],
    ["Tree", id],
    ["", id],
  ])("the type %j and the ID %j are checked as ever", async (type, given) => {
    const [plain, schema] = await bothWays(
      () => Response.json(record),
      (client) => client.useResources(type).get(given),
    );
    expect(plain).toEqual(schema);
  });

  it("an option that has no effect is refused", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9", token: "t", tenantId });
    const input = Object.assign({ params: { objectType: "tree", id } }, { quick: true });
    const call = client.resources.get(input);
    expect(await errorOf(call)).toMatchObject({ code: "E305" });
  });
});
