import { expect, test } from "vitest";
import { mayLeaveBody, withoutBodyForHead } from "#server/http/response/left-bodies.ts";

type Exchange = Parameters<typeof mayLeaveBody>[0];

test("a response to HEAD keeps its status and fields, and has no body", async () => {
  const response = new Response("text", { status: 203, headers: { etag: '"1"' } });
  const head = withoutBodyForHead({ method: "HEAD" } as Exchange, response);
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([203, '"1"', ""]);
});

test("a response to GET stays as it is", () => {
  const response = new Response("text");
  expect(withoutBodyForHead({ method: "GET" } as Exchange, response)).toBe(response);
});

test("an exchange without a response is a fault of the platform", () => {
  expect(() => withoutBodyForHead({ method: "GET" } as Exchange)).toThrow(TypeError);
});

test.each([
  ["a refused request", undefined, 413, true],
  ["an upload of a form", "multipart", 200, true],
  ["an upload of bytes", "bytes", 200, true],
  ["a request with JSON", "json", 200, false],
])("%s may leave a part of its body unread: %j", (_, type, status, expected) => {
  const exchange = { endpoint: { definition: { body: type && { type } } } } as unknown as Exchange;
  expect(mayLeaveBody(exchange, new Response(null, { status }))).toBe(expected);
});
