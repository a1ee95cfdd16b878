import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, openTestPlatform, type TestPlatform } from "#test/support/platform.ts";

const metricsOf = async (the: TestPlatform): Promise<string[]> =>
  (await the.as("system-admin").get("/metrics")).text.trimEnd().split("\n");

/** The value of the one series that begins so; undefined without it. */
function valueOf(lines: readonly string[], series: string): number | undefined {
  const line = lines.find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const countOf = (route: string, status: number, method = "GET"): string =>
  `http_server_request_duration_seconds_count{http_request_method="${method}",` +
  `http_route="${route}",http_response_status_code="${status}",url_scheme="http"}`;

const usage = { userSeconds: 1, systemSeconds: 0.25, residentBytes: 1e8, uptimeSeconds: 60 };
const options = { processUsage: () => usage };

describePlatform("metrics", tests, { options });

function tests(the: () => TestPlatform): void {
  apiCases(the, [
    {
      name: "need a token",
      as: "nobody",
      method: "GET",
      path: "/metrics",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "are not for the administrator of a workspace",
      as: "tenant-admin",
      method: "GET",
      path: "/metrics",
      expect: { status: 403, code: "permission-denied" },
    },
    {
      name: "are only read",
      as: "system-admin",
      method: "POST",
      path: "/metrics",
      expect: { status: 405, headers: { allow: "GET, HEAD" } },
    },
  ]);

  test("count requests by route and status, and report the state of the platform", async () => {
    const before = await metricsOf(the());
    await the().as("system-admin").get("/v4/identity/me");
    await the().as("nobody").get("/v4/identity/me");
    const after = await metricsOf(the());
    const grown = (series: string): number =>
      (valueOf(after, series) ?? 0) - (valueOf(before, series) ?? 0);
    expect(grown(countOf("/v4/identity/me", 200))).toBe(1);
    expect(grown(countOf("/v4/identity/me", 401))).toBe(1);
    expect(valueOf(after, 'svc_jobs{svc_job_state="queued"}')).toBe(0);
    expect(valueOf(after, 'svc_component_up{svc_component="database"}')).toBe(1);
    expect(valueOf(after, "svc_ready")).toBe(1);
    expect(valueOf(after, "svc_feed_streams")).toBe(0);
    expect(valueOf(after, "svc_feed_retained_bytes")).toBeGreaterThanOrEqual(0);
    expect(valueOf(after, "svc_feed_oldest_seconds")).toBeGreaterThanOrEqual(0);
    expect(valueOf(after, "svc_feed_held_back_seconds")).toBeGreaterThanOrEqual(0);
    expect(valueOf(after, "svc_requests_active")).toBe(1);
    expect(valueOf(after, "process_memory_usage_bytes")).toBe(usage.residentBytes);
    expect(valueOf(after, 'process_cpu_time_seconds_total{cpu_mode="system"}')).toBe(0.25);
    const pending = after.filter((line) => line.startsWith("svc_database_waiting{"));
    expect(pending.length).toBeGreaterThan(0);
  });

  test("are at most 2,000 series whatever callers send, and name no workspace", async () => {
    const all = Object.values(routes).flatMap((domain): RouteDefinition[] => Object.values(domain));
    const id = the().workspaces.tenant;
    for (const { path } of all) {
      const filled = path.replaceAll(/\{\w+\}/g, id);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]) {
        await (await the().as("nobody").fetch(method, filled)).text();
        await (await the().as("nobody").fetch(method, `${filled}/${method}`)).text();
      }
    }
    const series = (await metricsOf(the())).filter((line) => !line.startsWith("#"));
    expect(series.length).toBeLessThanOrEqual(2_000);
    expect(series.join("\n")).toContain('_count{otel_metric_overflow="true"} ');
    expect(series.filter((line) => line.includes(id))).toEqual([]);
  });
}

describe("metrics of a platform with reading threads", () => {
  test("count each request once, whichever thread has answered it", async () => {
    const the = await openTestPlatform("sqlite", { isInThread: true });
    try {
      const path = `/v4/data/resources/${the.workspaces.tenant}/unknown-type`;
      const reads = 5;
      for (let at = 0; at < reads; at += 1) await the.as("tenant-viewer").get(path);
      await eventually(async () => {
        const found = valueOf(
          await metricsOf(the),
          countOf("/v4/data/resources/{tenantId}/{objectType}", 404),
        );
        expect(found).toBe(reads);
      });
    } finally {
      await the.close();
    }
  });
});
