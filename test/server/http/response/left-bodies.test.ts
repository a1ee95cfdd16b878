import { expect, test } from "vitest";
import { mayLeaveBody, withoutBodyForHead } from "#server/http/response/left-bodies.ts";

const ended = (type: string | undefined, status: number): boolean => {
  const body = type === undefined ? undefined : { type };
  return mayLeaveBody(
    { endpoint: { definition: { body } } } as never,
    new Response("", { status }),
  );
};

test("a body may be unread after a refusal, and where the handler reads it", () => {
  expect([
    ended("json", 200),
    ended("json", 400),
    ended("multipart", 201),
    ended("bytes", 200),
    ended(undefined, 204),
  ]).toEqual([false, true, true, true, false]);
});

test("HEAD has the fields of GET without its body", async () => {
  const response = Response.json({ a: 1 }, { headers: { etag: '"1"' } });
  const head = withoutBodyForHead({ method: "HEAD", response } as never);
  expect([head.headers.get("etag"), await head.text()]).toEqual(['"1"', ""]);
  const got = Response.json({});
  expect(withoutBodyForHead({ method: "GET", response: got } as never)).toBe(got);
});
