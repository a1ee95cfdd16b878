import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { createClient } from "#client/client.ts";
import { readAnswer } from "#client/answer/reading.ts";
import { listBody } from "#contract/lists.ts";
import { resource } from "#contract/resources/resources.ts";
import { formOf } from "#test/support/form.ts";
import { clientOf, errorOf, problem, serve, tenantId } from "../servers.ts";

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

/** The answer as its reader reads it, as JSON; undefined if it can't be read. */
function bySchema(schema: z.ZodType, answer: unknown): string | undefined {
  const reading = readAnswer(formOf(schema), answer);
  return reading.fits ? JSON.stringify(reading.value) : undefined;
}

async function outcomeOf(call: Promise<unknown>): Promise<string | undefined> {
  return await call.then(
    (value) => JSON.stringify(value),
    (error: unknown) => {
      expect(error).toMatchObject({ code: "E203" });
      return undefined;
    },
  );
}

describe("a client reads as the reader of any answer does, in one request:", () => {
  it.each(answers)("one record, answered with %s", async (_name, body) => {
    const server = serve(() => Response.json(body));
    const call = clientOf(server).useResources("tree").get(id);
    expect(await outcomeOf(call)).toEqual(bySchema(resource, body));
    expect(server.seen.map(({ path }) => path)).toEqual([
      `/v4/data/resources/${tenantId}/tree/${id}`,
    ]);
  });

  it.each(answers)("a list, answered with %s", async (_name, body) => {
    const server = serve(() => Response.json(body));
    const query = { page: 1, limit: 20, sort: "-created_at" };
    const call = clientOf(server).useResources("tree").list(query);
    expect(await outcomeOf(call)).toEqual(bySchema(listBody(resource), body));
    expect(server.seen.map(({ path }) => path)).toEqual([
      `/v4/data/resources/${tenantId}/tree?page=1&limit=20&sort=-created_at`,
    ]);
  });

  it.each([
    ["a refusal", () => problem(404, "not-found"), "E202", `tree ${id} not found`],
    ["a page of a portal", () => new Response("<title>Sign in</title>"), "E203", "does not match"],
    ["an empty answer", () => new Response(""), "E203", "is not JSON"],
    ["text that nests too deep", () => new Response("[".repeat(5_000)), "E203", "does not match"],
  ])("%s is an error", async (_name, answer, code, words) => {
    const call = clientOf(serve(answer)).useResources("tree").get(id);
    const message = expect.stringContaining(words);
    expect(await errorOf(call)).toMatchObject({ code, message });
  });

  it.each([
    ["../x", id],
    ["tree", "../x"],
    ["", id],
  ])("the type %j and the ID %j are refused before a request", async (type, given) => {
    const server = serve(() => Response.json(record));
    const call = clientOf(server).useResources(type).get(given);
    expect(await errorOf(call)).toMatchObject({ code: "E305" });
    expect(server.seen).toEqual([]);
  });

  it("an option that has no effect is refused", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9", token: "t", tenantId });
    const input = Object.assign({ params: { objectType: "tree", id } }, { quick: true });
    const call = client.resources.get(input);
    expect(await errorOf(call)).toMatchObject({ code: "E305" });
  });
});
