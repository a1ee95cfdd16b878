import { expect, test } from "vitest";
import { deprecationOf } from "#client/transport/deprecation.ts";

const of = (fields: Record<string, string>) => deprecationOf("GET", "/v4/old", new Headers(fields));

test("a response without the fields announces nothing", () => {
  expect(of({ link: '<https://a.test>; rel="deprecation"' })).toBe(undefined);
  expect(of({ sunset: "no date" })).toBe(undefined);
});

test("dates and the link of a deprecation are read", () => {
  const fields = {
    deprecation: "@1767225600",
    sunset: "Wed, 01 Jul 2026 00:00:00 GMT",
    link: '<https://a.test/x>; rel="next", <https://a.test/new>; rel="successor-version"',
  };
  expect(of(fields)).toEqual({
    method: "GET",
    path: "/v4/old",
    message: "GET /v4/old is deprecated since 2026-01-01, ends 2026-07-01; see https://a.test/new",
    since: "2026-01-01T00:00:00.000Z",
    sunset: "2026-07-01T00:00:00.000Z",
    link: "https://a.test/new",
  });
  expect(of({ deprecation: "true" })?.message).toBe("GET /v4/old is deprecated");
});
