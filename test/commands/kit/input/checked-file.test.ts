import { expect, test } from "vitest";
import * as z from "zod";
import { checkedFile } from "#commands/kit/input/checked-file.ts";

test("the first five faults have their pointers", () => {
  const schema = z.array(z.number());
  expect(checkedFile(schema, [1], "a.json")).toEqual([1]);
  expect(() => checkedFile(schema, ["x", 2, "y"], "a.json")).toThrow(
    expect.objectContaining({
      code: "E302",
      message: expect.stringMatching(/a\.json: #\/0 must be of type number; #\/2 must/),
    }),
  );
  expect(() => checkedFile(schema, Array(8).fill("x"), "a.json")).toThrow(/, and 3 more$/);
});
