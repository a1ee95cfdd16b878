import { describe, expect, test } from "vitest";
import { HealthService } from "#server/services/health.ts";
import { openDatabase } from "#server/stores/database.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

describePlatform("health", (the) => {
  apiCases(the, [
    {
      name: "is told to anybody, without a token",
      as: "nobody",
      method: "GET",
      path: "/v4/data/resources/health",
      expect: {
        status: 200,
        body: { status: "ok", components: { database: { status: "ok" } } },
        headers: { "cache-control": "no-store", "ratelimit-policy": '"default";q=1000000;w=10' },
      },
    },
    {
      name: "the interface describes itself to anybody",
      as: "nobody",
      method: "GET",
      path: "/v4/openapi.json",
      expect: { status: 200, body: { openapi: "3.1.1", info: { version: expect.any(String) } } },
    },
    {
      name: "an address that is none says so",
      as: "nobody",
      method: "GET",
      path: "/v4/data/nothing",
      expect: { status: 404, code: "route-not-found" },
    },
    {
      name: "an address that can't be read says so",
      as: "nobody",
      method: "GET",
      path: "/v4/data/%zz",
      expect: { status: 400, code: "malformed-request" },
    },
    {
      name: "an address that goes on and on says so",
      as: "nobody",
      method: "GET",
      path: `/v4/${"x".repeat(8_200)}`,
      expect: { status: 400, code: "malformed-request" },
    },
  ]);

  test("the description is sent once to those who keep it", async () => {
    const nobody = the().as("nobody");
    const first = await nobody.get("/v4/openapi.json");
    const headers = { "if-none-match": String(first.headers.get("etag")) };
    const second = await nobody.get("/v4/openapi.json", { headers });
    expect(second.status).toBe(304);
    expect(second.text).toBe("");
  });

  test("a database that is gone is 503, with what is down", async () => {
    const { health } = the().platform.services;
    let isDown = true;
    health.addCheck("tape", () =>
      isDown ? Promise.reject(new Error("torn")) : Promise.resolve({ status: "ok" }),
    );
    the().advance(2_000);
    const answered = await the().as("nobody").get("/v4/data/resources/health");
    expect(answered.json).toMatchObject({
      status: 503,
      code: "storage-unavailable",
      detail: "Down: tape",
      retryable: true,
      components: { tape: { status: "down" }, database: { status: "ok" } },
    });
    expect(answered.text).not.toContain("torn");
    isDown = false;
    the().advance(2_000);
    expect((await the().as("nobody").get("/v4/data/resources/health")).status).toBe(200);
  });
});

describe("the checks of health", () => {
  const start = async () => {
    const url = `sqlite:${await temporaryDirectory("health")}/svc.db`;
    const database = await openDatabase({ url });
    let time = 0;
    const now = () => new Date(time);
    const health = new HealthService({ database, version: "1.2.3", now });
    return { database, health, advance: (milliseconds: number) => void (time += milliseconds) };
  };

  test("are asked once a second at most", async () => {
    const { database, health, advance } = await start();
    let asked = 0;
    health.addCheck("counted", () => {
      asked += 1;
      return Promise.resolve({ status: "degraded", detail: "slow" });
    });
    const all = await Promise.all([health.health(), health.health(), health.health()]);
    expect(all[0]).toMatchObject({ status: "degraded", version: "1.2.3" });
    expect(asked).toBe(1);
    advance(1_000);
    await health.health();
    expect(asked).toBe(2);
    await database.close();
  });

  test("that hang are down", async () => {
    const { database, health } = await start();
    health.addCheck("hanging", () => new Promise(() => {}));
    expect(await health.health()).toMatchObject({
      status: "down",
      components: { hanging: { status: "down", detail: "does not answer in time" } },
    });
    await database.close();
  });
});
