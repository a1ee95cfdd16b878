import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a factor is confirmed with a code, and recovery codes are printed once", async () => {
  expect(await sent(`account factors confirm ${id} 123456`)).toMatchObject({
    exitCode: 0,
    requests: [["factors.confirm", { factorId: id }, { code: "123456" }]],
    stdout: expect.stringContaining("Added the second factor word"),
  });
  expect(await sent(`account factors confirm ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
