import { expect, test } from "vitest";
import * as z from "zod";
import { endpointOf } from "#server/http/routing/endpoint.ts";
import { validateBody, validateParams, validateQuery } from "#server/http/validate.ts";

const definition = {
  path: "/v4/things/{thing}",
  method: "POST",
  workspace: "none",
  reply: { type: "empty" },
  params: z.object({ thing: z.string().regex(/^[a-z]+$/, "must be letters") }),
  query: z.object({ limit: z.coerce.number().max(9).optional() }),
};

function exchange(more: object) {
  const route = endpointOf("things.make", definition as never, () => undefined);
  return { route, search: "", pathValues: ["a"], headers: new Headers(), ...more } as never;
}

const errorsOf = (run: () => unknown): unknown => {
  try {
    run();
    return [];
  } catch (error) {
    return (error as { options: { errors?: unknown } }).options.errors;
  }
};

test.each([
  ["limit=3", []],
  ["", []],
  ["limit=%33&&", []],
  ["limit=3&limit=3", [{ pointer: "#/query/limit", detail: "is given twice" }]],
  ["limt=3", [{ pointer: "#/query/limt", detail: "is not a parameter of this route" }]],
])("the query %j", (search, errors) => {
  expect(errorsOf(() => validateQuery(exchange({ search })))).toEqual(errors);
});

test("a repeated query has the same frozen result", () => {
  const [one, other] = [exchange({ search: "limit=3" }), exchange({ search: "limit=3" })] as {
    query: object;
    route: object;
  }[];
  Object.assign(other as object, { route: one?.route });
  validateQuery(one as never);
  validateQuery(other as never);
  expect(other?.query).toBe(one?.query);
  expect(Object.isFrozen(one?.query)).toBe(true);
});

test("a query that is not percent-encoded UTF-8 is refused", () => {
  expect(() => validateQuery(exchange({ search: "limit=%ff" }))).toThrow(
    expect.objectContaining({ code: "malformed-request" }),
  );
});

test("path values are checked, and NUL is refused", () => {
  expect(errorsOf(() => validateParams(exchange({})))).toEqual([]);
  expect(errorsOf(() => validateParams(exchange({ pathValues: ["1"] })))).toEqual([
    { pointer: "#/path/thing", detail: expect.stringContaining("must be letters") },
  ]);
  expect(errorsOf(() => validateParams(exchange({ pathValues: ["a\0"] })))).toMatchObject([
    { pointer: "#/path/thing" },
  ]);
});

test("a form needs its media type with a boundary", () => {
  const form = (type: string) => () =>
    validateBody(
      {
        route: { definition: { body: { type: "multipart" } } },
        headers: new Headers({ "content-type": type }),
      } as never,
      {} as never,
    );
  expect(form("multipart/form-data; boundary=x")()).toBe(undefined);
  expect(form("text/plain")).toThrow(expect.objectContaining({ code: "unsupported-media-type" }));
});
