import { expect, test } from "vitest";
import {
  mayChange,
  refuseLeft,
  requireAcceptable,
  requirePerson,
} from "#server/http/pipeline-refusals.ts";

function exchange(accept: string | null, reply: object, more: object = {}): never {
  const headers = new Headers(accept === null ? {} : { accept });
  const definition = { reply: { type: "json", ...reply }, ...more };
  return { headers, method: "GET", route: { definition }, wantsEvents: false } as never;
}

test.each([
  [null, {}],
  ["*/*", {}],
  ["application/vnd.x+json", {}],
  ["text/csv", { alsoAs: ["text/csv"] }],
  ["image/png", { type: "bytes" }],
  [null, { type: "events" }],
  ["text/event-stream, application/problem+json", { type: "events" }],
  ["text/*", { type: "events" }],
  ["application/json, text/plain, */*", { type: "events" }],
])("Accept %s is served", (accept, reply) => {
  requireAcceptable(exchange(accept, reply));
});

test.each([
  ["text/html", {}, {}, "application/json"],
  ["text/csv;q=0", { alsoAs: ["text/csv"] }, {}, "application/json or text/csv"],
  ["text/html", {}, { events: {} }, "application/json or text/event-stream"],
  ["application/json", { type: "events" }, {}, "text/event-stream"],
])("Accept %s is refused", (accept, reply, more, types) => {
  expect(() => requireAcceptable(exchange(accept, reply, more))).toThrow(
    expect.objectContaining({
      code: "not-acceptable",
      options: expect.objectContaining({ detail: `This route returns ${types}` }),
    }),
  );
});

test("a change whose client has left is refused", () => {
  const left = { signal: AbortSignal.abort() };
  expect(() => refuseLeft({ method: "POST", request: left } as never)).toThrow(
    expect.objectContaining({ code: "request-cancelled" }),
  );
  refuseLeft({ method: "HEAD", request: left } as never);
  expect(["GET", "HEAD", "PUT"].map((method) => mayChange({ method } as never))).toEqual([
    false,
    false,
    true,
  ]);
});

test("a route for people refuses keys and apps", () => {
  const definition = { access: "signed-in", peopleOnly: true, workspace: "none" };
  const call = (signedIn: object | undefined) => () =>
    requirePerson({ route: { definition }, signedIn } as never);
  call(undefined)();
  call({})();
  expect(call({ isKey: true })).toThrow("Keys of service accounts may not do this");
  expect(call({ appWorkspaceId: "w" })).toThrow("Tokens of an app may not do this");
});
