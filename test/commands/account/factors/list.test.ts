import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("factors are listed, with the number of codes", async () => {
  expect(await sent("account factors list")).toMatchObject({
    exitCode: 0,
    requests: [["factors.list", {}]],
    stdout:
      "NAME  KIND  STATUS   LAST USED   ID\nword  totp  pending  2026-01-02  0198f0a0-2222-7000-8000-000000000002\n",
  });
});
