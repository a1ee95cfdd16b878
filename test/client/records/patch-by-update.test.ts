import { expect, test } from "vitest";
import { updatedInstead } from "#client/records/patch-by-update.ts";
import { catalogError } from "#contract/errors.ts";

const noRoute = catalogError("E203", { details: "no such route" }, { status: 404 });
const overtaken = catalogError("E205", { details: "site" }, { status: 409 });
const input = { params: { objectType: "site", id: "1" } };

function recordCalls(conflicts: number) {
  const bodies: unknown[] = [];
  const calls = {
    get: () => Promise.resolve({ version: 3 + bodies.length, data: { a: 1, b: 2 } }),
    update: ({ body }: { readonly body: unknown }) => {
      bodies.push(body);
      return bodies.length <= conflicts ? Promise.reject(overtaken) : Promise.resolve(body);
    },
  };
  return { calls: calls as never, bodies };
}

const patch = { data: { b: null, c: 3 }, version: undefined };

test("the record is read, merged and replaced in the version that was read", async () => {
  const { calls, bodies } = recordCalls(0);
  await updatedInstead(calls, input, patch, noRoute);
  expect(bodies).toEqual([{ data: { a: 1, c: 3 }, version: 3 }]);
});

test("it is read again after another write, at most four times", async () => {
  const { calls, bodies } = recordCalls(4);
  await updatedInstead(calls, input, patch, noRoute);
  expect(bodies).toHaveLength(5);
  await expect(updatedInstead(recordCalls(5).calls, input, patch, noRoute)).rejects.toBe(overtaken);
});

test("a named version and another failure are not tried again", async () => {
  const { calls, bodies } = recordCalls(1);
  await expect(updatedInstead(calls, input, { ...patch, version: 2 }, noRoute)).rejects.toBe(
    overtaken,
  );
  expect(bodies).toEqual([{ data: { a: 1, c: 3 }, version: 2 }]);
  await expect(updatedInstead(calls, input, patch, overtaken)).rejects.toBe(overtaken);
});
