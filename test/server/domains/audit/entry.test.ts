import { expect, test } from "vitest";
import {
  entryOfAnswer,
  entryOfChange,
  entryOfOperator,
  entryOfSignIn,
  isChange,
} from "#server/domains/audit/entry.ts";

const at = new Date("2026-01-02T03:04:05Z");
const change = {
  method: "POST",
  path: "/v4/things",
  requestId: "r",
  address: "127.0.0.1",
  endpoint: { id: "things.create", definition: { reply: { status: 201 } } },
  signedIn: { oid: "u", email: "", displayName: "Key" },
  workspace: { id: "w" },
  namedWorkspaceId: "w",
  isRepeated: false,
};

const entry = (more: object) => entryOfAnswer({ ...change, ...more } as never, at);
const answered = (status: number, more: object = {}) =>
  entry({ response: new Response(null, { status }), ...more });

test("a change has an entry with who did what", () => {
  const resultBody = { id: "1", version: 2, secret: "x" };
  expect(answered(201, { resultBody, note: { before: { a: 1 }, target: { slug: "s" } } })).toEqual({
    workspaceId: "w",
    at: at.toISOString(),
    requestId: "r",
    actor: "u",
    actorName: "Key",
    action: "things.create",
    outcome: "done",
    status: 201,
    code: null,
    method: "POST",
    path: "/v4/things",
    address: "127.0.0.1",
    changes: { target: { id: "1", version: 2, slug: "s" }, before: { a: 1 } },
  });
});

test.each([
  ["a read", { method: "GET" }, 200],
  ["a repeated answer", { isRepeated: true }, 201],
  ["a request that asks", { endpoint: { id: "x", definition: { asks: true } } }, 200],
  ["a rate limit", {}, 429],
  ["a drain", { refusal: "draining" }, 503],
  ["a read that found nothing", { method: "GET" }, 404],
  ["a page outside the sign-in", { endpoint: undefined, path: "/docs" }, 200],
  [
    "a page of the sign-in that was only read",
    { endpoint: undefined, path: "/auth/x", method: "GET" },
    200,
  ],
])("%s has no entry", (_case, more, status) => {
  expect(answered(status, more)).toBe(undefined);
});

test.each([
  [403, { method: "GET" }, "refused"],
  [404, { method: "GET", workspace: undefined }, "refused"],
  [422, {}, "refused"],
  [500, {}, "failed"],
])("a refusal with %i has an entry", (status, more, outcome) => {
  expect(answered(status, more)).toMatchObject({ outcome, status, changes: null });
});

test("a new record is named by its address, and a page by its path", () => {
  const fields = { location: "/v4/data/resources/w/site/id-1/files/plan", etag: '"3"' };
  expect(answered(201, { resultFields: fields })?.changes).toEqual({
    target: { id: "id-1", version: 3 },
  });
  const page = { endpoint: undefined, path: "/auth/oauth2/token", note: undefined };
  expect(answered(200, page)?.action).toBe("auth.oauth2.token");
  expect(entryOfChange(change as never, undefined, at).status).toBe(201);
  expect(isChange({ ...change, method: "HEAD" } as never)).toBe(false);
});

test("the operator and the sign-in have entries without a request", () => {
  expect(entryOfOperator("platform.quota", {}, { at })).toMatchObject({
    actorName: "operator",
    workspaceId: "",
  });
  const user = { oid: "u", email: "", display_name: "Ada" };
  expect(entryOfSignIn("members.join", {}, { at, workspaceId: "w", user })).toMatchObject({
    actor: "u",
    actorName: "Ada",
    address: "",
  });
});
