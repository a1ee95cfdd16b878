import { expect, test } from "vitest";
import { actionCall, parameterIn } from "#contract/resources/actions.ts";

test("a parameter is an object with that member only", () => {
  expect(
    [{ $parameter: "name" }, { $parameter: 7 }, { $parameter: "a", b: 1 }, "a", null].map(
      parameterIn,
    ),
  ).toEqual(["name", undefined, undefined, undefined, undefined]);
});

test("a call has parameters, and a version from 1", () => {
  expect(actionCall.parse({})).toEqual({ parameters: {} });
  for (const call of [{ version: 0 }, { parameters: [] }, { other: 1 }]) {
    expect(actionCall.safeParse(call).success).toBe(false);
  }
});
