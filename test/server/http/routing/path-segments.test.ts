import fc from "fast-check";
import { expect, test } from "vitest";
import { PathSegments } from "#server/http/routing/path-segments.ts";

function all(path: string): string[] {
  const segments = new PathSegments(path);
  return Array.from({ length: segments.count }, (_, index) => segments.at(index));
}

test("are the decoded texts between the slashes", () => {
  expect(all("/v4/data")).toEqual(["v4", "data"]);
  expect(all("/v4/a%2Fb/c%20d")).toEqual(["v4", "a/b", "c d"]);
  expect(all("/v4//x/")).toEqual(["v4", "", "x", ""]);
  expect(all("/")).toEqual([""]);
  expect(all("")).toEqual([]);
});

test("equal the path split at its slashes", () => {
  const segment = fc.string({ unit: fc.constantFrom("a", "b", "é", "%", "🚲", "."), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), segment, (plain, other) => {
      const parts = plain.map(encodeURIComponent);
      const segments = new PathSegments(`/${parts.join("/")}`);
      expect(all(`/${parts.join("/")}`)).toEqual(plain);
      for (const [index, text] of plain.entries()) {
        expect(segments.is(index, text)).toBe(true);
        expect(segments.is(index, other)).toBe(text === other);
        expect(segments.is(index, `${text}a`)).toBe(false);
      }
    }),
  );
});

test("refuse a path that is not percent-encoded UTF-8", () => {
  expect(() => new PathSegments("/v4/%ff")).toThrow("not percent-encoded UTF-8");
});
