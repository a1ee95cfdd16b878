import { expect, test } from "vitest";
import * as z from "zod";
import { checkedPart } from "#client/answer/checked-part.ts";
import type { RouteDefinition } from "#contract/route.ts";

const definition: Pick<RouteDefinition, "path" | "params" | "query"> = {
  path: "/v4/things/{thing}",
  params: z.object({ thing: z.string().regex(/^[a-z]+$/, "must be letters") }),
  query: z.object({ limit: z.number().max(10).optional() }),
};
const route = definition as RouteDefinition;

test("a part that fits is returned as its schema reads it", () => {
  expect(checkedPart(route, "params", { thing: "a" })).toEqual({ thing: "a" });
  expect(checkedPart(route, "query", {})).toEqual({});
});

test("a fault has its pointer, and a path its value", () => {
  const failed = (): unknown => checkedPart(route, "params", { thing: "a\n" });
  expect(failed).toThrow("#/path/thing must be letters");
  expect(failed).toThrow(
    expect.objectContaining({ code: "E305", hint: String.raw`Given is "a\n"` }),
  );
  expect(() => checkedPart(route, "query", { limit: 11 })).toThrow(/^.*#\/query\/limit /);
});

test("a member that the schema would drop is refused", () => {
  expect(() => checkedPart(route, "query", { limt: 1 })).toThrow("#/query/limt is not known here");
  expect(checkedPart(route, "query", { limt: undefined })).toEqual({});
});

test("a route without the part has no value for it", () => {
  expect(() => checkedPart(route, "body", {})).toThrow("takes no body");
});
