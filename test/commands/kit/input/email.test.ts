import { expect, test } from "vitest";
import { addressIn, emailOf } from "#commands/kit/input/email.ts";

test.each([
  [" ada@b.test ", "ada@b.test"],
  ["a@b", "a@b"],
  ["no-address", undefined],
  ["a b@c", undefined],
  ["<a@b>", undefined],
  ["a@b@c", undefined],
])("the address in %j is %s", (text, address) => {
  expect(addressIn(text)).toBe(address);
});

test("wrong words are refused with exit code 2", () => {
  expect(() => emailOf("--email", "x")).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('--email "x"') }),
  );
  expect(emailOf("--email", "a@b")).toBe("a@b");
});
