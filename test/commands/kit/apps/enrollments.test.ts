import { expect, test } from "vitest";
import { findEnrollment } from "#commands/kit/apps/enrollments.ts";

const client = {
  useResources: (type: string) => ({
    async *all() {
      yield { id: "1", data: { key: `${type} other` } };
      yield { id: "2", data: { vertical_key: "planning" } };
    },
  }),
} as never;
const { signal } = new AbortController();

test("an app is found by its key under any name", async () => {
  expect(await findEnrollment(client, "planning", signal)).toMatchObject({
    id: "2",
    key: "planning",
  });
  await expect(findEnrollment(client, "none", signal)).rejects.toMatchObject({
    code: "E202",
    hint: expect.stringContaining("svc app list"),
  });
});
