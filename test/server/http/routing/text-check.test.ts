import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { endpointOf } from "#server/http/routing/endpoint.ts";
import { textCheck } from "#server/http/routing/text-check.ts";

describe("a fast check of a text", () => {
  const schemas = {
    plain: z.string(),
    length: z.string().min(2).max(5),
    pattern: z.string().regex(/^[a-c]+$/),
    both: z.string().max(4).regex(/b/).min(1),
    spelling: z
      .string()
      .toLowerCase()
      .regex(/^[a-cA-C]*$/),
    described: z.string().min(1).meta({ format: "uuid" }).describe("a name"),
  };
  test.each(Object.entries(schemas))("accepts only what its schema accepts: %s", (_, schema) => {
    const check = textCheck(schema);
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("a", "b", "c", "😀") }));
    fc.assert(
      fc.property(text, (given) => {
        if (check?.(given) === true) expect(schema.parse(given)).toBe(given);
      }),
    );
  });

  test.each([
    ["plain", "", true],
    ["length", "abcd", true],
    ["length", "abcdef", false],
    ["length", "😀", false],
    ["pattern", "abc", true],
    ["pattern", "abd", false],
    ["both", "abc", true],
    ["both", "acc", false],
    ["spelling", "abc", true],
    ["spelling", "aBc", false],
    ["spelling", "abd", false],
    ["described", "a", true],
    ["described", "", false],
  ] as const)("of %s: %j is %s", (name, given, isPassing) => {
    expect(textCheck(schemas[name])?.(given)).toBe(isPassing);
  });

  test.each([
    ["another type", z.coerce.number()],
    ["a transformed text", z.string().transform((text) => text.length)],
    ["a format of zod", z.email()],
    ["a custom check", z.string().refine((text) => text !== "x")],
    ["an optional text", z.string().optional()],
    ["a pattern with state", z.string().regex(/a/g)],
  ])("does not exist for %s", (_, schema) => {
    expect(textCheck(schema)).toBeUndefined();
  });

  test("exists for every path parameter that is a text", () => {
    const slow = Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries<RouteDefinition>(definitions).flatMap(([name, definition]) => {
        const endpoint = endpointOf(`${domain}.${name}`, definition, () => undefined);
        const needsSchema = definition.params !== undefined && endpoint.paramChecks === undefined;
        return needsSchema ? [endpoint.id] : [];
      }),
    );
    // A page is a number.
    expect(slow).toEqual(["documents.page", "documents.picture"]);
  });
});
