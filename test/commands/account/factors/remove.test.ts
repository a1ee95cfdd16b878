import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a factor is removed with the present password, after a question", async () => {
  const settings = { stdin: "old password\n" };
  expect(await sent(`account factors remove ${id} --force`, settings)).toMatchObject({
    exitCode: 0,
    requests: [["factors.remove", { factorId: id }, { currentPassword: "old password" }]],
    stdout: `Removed the second factor ${id}\n`,
  });
  const refused = await sent(`account factors remove ${id}`, settings);
  expect(refused).toMatchObject({ exitCode: 2, requests: [] });
});
