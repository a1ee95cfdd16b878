import { expect, test } from "vitest";
import { Part } from "#ui/kit/state/part.ts";

test("each dashboard has its own part, and a missing one is named", () => {
  const part = new Part<{ readonly name: string }>("messages");
  const [one, other] = [{}, {}];
  const value = part.put(one, { name: "one" });
  expect(part.of(one)).toBe(value);
  expect(() => part.of(other)).toThrow("this component has no messages");
  expect(() => part.of(undefined)).toThrow("this component has no messages");
});
