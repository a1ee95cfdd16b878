import { expect, test } from "vitest";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();

test("all is well", async () => {
  const { exitCode, stdout, stderr } = await the().svc("verify");
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^✓ platform health: ok, version \d+\.\d+\.\d+$/),
    "✓ object types: 0 readable",
    "✓ schema: 0 published",
    "",
  ]);
  expect(stderr).toBe("");
});

test("each check says what is wrong with it, and the exit code says that something is", async () => {
  const { other } = the().platform.workspaces;
  const { exitCode, json, stderr } = await the().json(["verify", "--tenant-id", other]);
  expect(exitCode).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    checks: [
      { name: "platform health", ok: true },
      { name: "object types", ok: false, code: "E202" },
      { name: "schema", ok: false, code: "E202" },
    ],
  });
  expect(stderr).toBe("Something is not in order: `svc errors <code>` explains a code\n");
});

test("without a sign-in the platform's health is still told, and the exit code is 4", async () => {
  const { exitCode, json } = await the().json("verify", { as: "nobody" });
  expect(exitCode).toBe(4);
  expect(json).toMatchObject({
    checks: [{ ok: true }, { ok: false, code: "E101" }, { ok: false, code: "E101" }],
  });
});

test("a platform that is down fails every check", async () => {
  const { exitCode, stdout } = await the().svc("verify", { fetch: platformDown });
  expect(exitCode).toBe(1);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "✗ platform health: Platform API unreachable: http://platform.test",
    "✗ object types: Platform API unreachable: http://platform.test",
  ]);
});
