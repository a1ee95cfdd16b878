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
    "✓ geo: POST /v4/geo/resolve-location",
    "✓ realtime: POST /v4/realtime/negotiate",
    "✓ webhooks: GET /v4/webhooks/endpoints",
    "✓ verticals: GET /v4/verticals/any",
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
  expect(exitCode).toBe(1);
  expect(stdout.split("\n")[0]).toBe(
    "✗ platform health: E203 Platform API error: " +
      "degraded (files: does not answer, tape: degraded), version 1.2.3",
  );
});

test.each<[unknown, string]>([
  [{ status: "degraded" }, "degraded"],
  ["DOWN", "DOWN"],
  [{ status: "UP", components: { search: { status: "DOWN" } } }, "search: DOWN"],
  [{ healthy: false, checks: [{ name: "queue", state: "Failed" }] }, "queue: Failed"],
  [{ healthy: true, issues: [{ component: "mail", message: "no route" }] }, "mail: no route"],
  [{ postgresql: "READY", blob: "not ready" }, "blob: not ready"],
  [{ data: { backends: [{ name: "blob", state: "OFFLINE" }] } }, "blob: OFFLINE"],
  [{ backends: { blob: { status: "unreachable" } } }, "blob: unreachable"],
  [{ services: [{ id: "s3", ok: false }] }, "s3: ok: false"],
  [{ status: "ok", entries: { redis: { status: "Unhealthy", detail: "no host" } } }, "no host"],
])("a platform whose health is %j is named sick, and the exit code is 1", async (health, named) => {
  const { platform } = the().platform;
  const fetch = async (request: Request): Promise<Response> => {
    if (!new URL(request.url).pathname.endsWith("/health")) return platform.fetch(request);
    if (typeof health !== "string") return Response.json(health);
    return new Response(health, { headers: { "content-type": "text/plain" } });
  };
  const { exitCode, stdout } = await the().svc("verify", { fetch });
  expect({ exitCode, line: stdout.split("\n")[0] }).toEqual({
    exitCode: 1,
    line: expect.stringContaining(named),
  });
  const calls = await the().svc("verify calls", { fetch });
  expect([calls.exitCode, calls.stdout]).toEqual([1, expect.stringContaining(named)]);
});

test.each([
  { postgresql: "READY" },
  { healthy: true, issues: [] },
  { ok: true },
  { status: "sunny" },
  { components: { postgresql: true, mail: true } },
  { status: "pass", checks: { db: [{ status: "pass", errors: 0 }] }, version: "2" },
])("a platform whose health is %j is well", async (health) => {
  const { platform } = the().platform;
  const { exitCode } = await the().svc("verify", {
    fetch: async (request) =>
      new URL(request.url).pathname.endsWith("/health")
        ? Response.json(health)
        : platform.fetch(request),
  });
  expect(exitCode).toBe(0);
});

test.each([{}, { data: {} }, { version: "2", warnings: [] }, { name: "gateway", parts: [] }])(
  "a platform whose health is %j states no health, and the exit code is 1",
  async (health) => {
    const { platform } = the().platform;
    const { exitCode, stdout } = await the().svc("verify", {
      fetch: async (request) =>
        new URL(request.url).pathname.endsWith("/health")
          ? Response.json(health)
          : platform.fetch(request),
    });
    expect({ exitCode, line: stdout.split("\n")[0] }).toEqual({
      exitCode: 1,
      line: expect.stringContaining("an answer that does not state the health"),
    });
  },
);

test.each([
  { backends: [{ name: "blob", state: "down" }] },
  { postgresql: "ok", blob: "UNAVAILABLE" },
  { ok: false, backends: [] },
])("a storage of %j fails its checks", async (status) => {
  const { platform } = the().platform;
  const fetch = async (request: Request): Promise<Response> =>
    new URL(request.url).pathname.endsWith("/storage")
      ? Response.json(status)
      : platform.fetch(request);
  for (const words of ["resources storage status", "verify storage"]) {
    const { exitCode } = await the().svc(words, { fetch });
    expect({ words, exitCode }).toEqual({ words, exitCode: 1 });
  }
});

test("a platform that is down fails every check", async () => {
  const { exitCode, stdout } = await the().svc("verify", { fetch: platformDown });
  expect(exitCode).toBe(1);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "✗ platform health: E201 Platform API unreachable: http://platform.test: No server listens at this address",
    "✗ object types: E201 Platform API unreachable: http://platform.test: No server listens at this address",
  ]);
});
