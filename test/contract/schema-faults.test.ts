import { expect, test } from "vitest";
import * as z from "zod";
import { schemaFaults } from "#contract/schema-faults.ts";

function faultsOf(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error === undefined
    ? []
    : schemaFaults(error).map(({ path, detail }) => `/${path.join("/")} ${detail}`);
}

const shape = z.strictObject({
  name: z.string().min(2).max(3),
  kind: z.enum(["a", "b"]).optional(),
  list: z.array(z.int()).min(1).optional(),
  size: z.number().max(9).optional(),
});

test.each([
  [{}, ["/name is required"]],
  [{ name: 7 }, ["/name must be of type string"]],
  [{ name: "x" }, ["/name must have at least 2 characters"]],
  [{ name: "xxxx" }, ["/name must have at most 3 characters"]],
  [{ name: "xx", kind: "c" }, ['/kind must be "a" or "b"']],
  [{ name: "xx", list: [] }, ["/list must have at least 1 item"]],
  [{ name: "xx", list: [1, 1.5] }, ["/list/1 must be of type integer"]],
  [{ name: "xx", size: 10 }, ["/size must be at most 9"]],
  [{ name: "xx", odd: 1, more: 2 }, ["/odd is not known here", "/more is not known here"]],
])("the faults of %j", (value, faults) => {
  expect(faultsOf(shape, value)).toEqual(faults);
});

test("the alternative that is meant has its faults", () => {
  const either = z.union([
    z.strictObject({ url: z.string() }),
    z.strictObject({ file: z.strictObject({ id: z.string() }) }),
  ]);
  expect(faultsOf(either, { file: { id: 7 } })).toEqual(["/file/id must be of type string"]);
  expect(faultsOf(z.union([z.string(), z.number()]), true)).toEqual([
    "/ must be of type string or must be of type number",
  ]);
  expect(faultsOf(z.union([z.string().max(1), z.number()]), "xx")).toEqual([
    "/ must have at most 1 character",
  ]);
  expect(faultsOf(z.record(z.string().max(1), z.number()), { long: 1 })).toEqual([
    "/long must have at most 1 character",
  ]);
});
