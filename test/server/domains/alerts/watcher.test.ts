import { SQL } from "bun";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field } from "#test/support/platform.ts";

describePlatform("alerts about the feed", (the) => {
  test("name each transaction that stays open once, on PostgreSQL", async () => {
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const rule = { name: "feed", kind: "feed", role: "tenant-admin" };
    const rules = "/v4/realtime/alert-rules";
    const made = await the().as("tenant-builder").post(rules, rule, { headers });
    expect(made.status).toBe(201);
    const lateChanges = async (): Promise<unknown[]> => {
      the().advance(61_000);
      await the().platform.services.alerts.scheduler.look();
      const list = "/v4/realtime/alerts?limit=500";
      const items = field((await the().as("tenant-admin").get(list, { headers })).json, "items");
      const all: unknown[] = Array.isArray(items) ? items : [];
      return all.filter((alert) => field(field(alert, "about"), "reason") === "held-back");
    };
    if (the().engine === "sqlite") {
      expect([await lateChanges(), await lateChanges()]).toEqual([[], []]);
      return;
    }
    const sql = new SQL(the().databaseUrl, { max: 1 });
    onTestFinished(() => sql.close());
    const session = await sql.reserve();
    await session`begin`;
    await session`select pg_current_xact_id()`;
    // An older transaction of another test may end between two looks.
    await eventually(async () => expect((await lateChanges()).length).toBeGreaterThan(0));
    await lateChanges();
    const all = await lateChanges();
    const times = all.map((alert) => field(field(alert, "about"), "since"));
    expect(new Set(times).size).toBe(all.length);
    expect(field(all[0], "message")).toMatch(/^Changes come late: a transaction .* since 2/u);
    await session`rollback`;
    await session.release();
  });
});
