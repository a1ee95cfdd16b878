import { expect, test } from "vitest";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();

test("every check passes", async () => {
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

test("each failed check is reported, and the exit code is 1", async () => {
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
  expect(stderr).toBe("A check failed: `svc errors <code>` explains its code\n");
});

test("without a sign-in the platform's health is shown, and the exit code is 4", async () => {
  const { exitCode, json } = await the().json("verify", { as: "anonymous" });
  expect(exitCode).toBe(4);
  expect(json).toMatchObject({
    checks: [{ ok: true }, { ok: false, code: "E101" }, { ok: false, code: "E101" }],
  });
});

test("a missing sign-in is reported before a missing workspace", async () => {
  const settings = { as: "anonymous", config: await the().emptyConfig() } as const;
  const { json } = await the().json("verify", settings);
  expect(json).toMatchObject({ checks: [{ ok: true }, { code: "E101" }, { code: "E101" }] });
  const { exitCode, stderr } = await the().svc("resources list tree", settings);
  expect([exitCode, stderr]).toEqual([4, expect.stringMatching(/^Error E101: Not logged in\n/)]);
});

test("a component that does not respond is named", async () => {
  const health = {
    status: "degraded",
    version: "1.2.3",
    components: {
      database: { status: "ok", detail: "sqlite" },
      files: { status: "degraded", detail: "does not answer\u001b[2J" },
      tape: { status: "degraded" },
    },
  };
  const { exitCode, stdout } = await the().svc("verify", {
    fetch: async (request) =>
      new URL(request.url).pathname.endsWith("/health")
        ? Response.json(health)
        : the().platform.platform.fetch(request),
  });
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")[0]).toBe(
    "✓ platform health: degraded (files: does not answer, tape: degraded), version 1.2.3",
  );
});

test("a platform that is down fails every check", async () => {
  const { exitCode, stdout } = await the().svc("verify", { fetch: platformDown });
  expect(exitCode).toBe(1);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "✗ platform health: E201 Platform API unreachable: http://platform.test",
    "✗ object types: E201 Platform API unreachable: http://platform.test",
  ]);
});
