import { expect, expectTypeOf, it } from "vitest";
import { given } from "#lib/given.ts";

it("returns the members that have a value, null and false included", () => {
  const size: number | undefined = undefined;
  const members = given({ name: "a", size, none: null, isOpen: false });
  expect(members).toStrictEqual({ name: "a", none: null, isOpen: false });
});

it("makes members optional whose value may be undefined", () => {
  const limit = [1, 2].find((one) => one > 1);
  const options = given({ limit, name: "a" });
  expectTypeOf(options).branded.toEqualTypeOf<{ limit?: number; name: string }>();
  expect({ limit: 5, ...options }).toEqual({ limit: 2, name: "a" });
});
