import { expect, test } from "vitest";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";
import { takeStorageAway } from "#test/support/away-storage.ts";

/** A time in which every cache of the platform expires. */
const everyCacheMs = 70_000;

type Users = readonly ("tenant-admin" | "tenant-viewer")[];

/** The users call what reads each cache. */
async function statusesOf(
  the: TestPlatform,
  users: Users = ["tenant-admin", "tenant-viewer"],
): Promise<number[]> {
  const { tenant } = the.workspaces;
  const notes = `/v4/data/resources/${tenant}/note`;
  const calls = users.flatMap((user) => {
    const caller = the.as(user);
    return [
      caller.get("/v4/identity/me"),
      caller.get(notes),
      caller.get(`/v4/platform/tenants/${tenant}/members`),
      caller.get(`/v4/data/documents/search?query=text`, { headers: { "x-tenant-id": tenant } }),
      caller.post(notes, { text: "one" }, { headers: { "idempotency-key": crypto.randomUUID() } }),
    ];
  });
  return (await Promise.all(calls)).map(({ status }) => status);
}

describePlatform("a platform whose storage goes away", (the) => {
  test("goes on, answers 503, and serves again when the storage is back", async () => {
    const { tenant } = the().workspaces;
    const type = { name: "Note", slug: "note", properties: { text: { type: "string" } } };
    const headers = { "x-tenant-id": tenant };
    await the().as("tenant-admin").post("/v4/data/resources/object-types", type, { headers });
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on("unhandledRejection", note);
    try {
      // The second user begins later, so that some caches expire while others are still fresh.
      expect(Math.max(...(await statusesOf(the(), ["tenant-admin"])))).toBeLessThan(500);
      the().advance(4_000);
      expect(Math.max(...(await statusesOf(the(), ["tenant-viewer"])))).toBeLessThan(500);
      const storage = await takeStorageAway(the());
      const seen = new Set<number>();
      try {
        // Steps of different lengths, so that caches of different ages refresh at different times.
        for (const aheadMs of [1_100, 500, 1_500, 5_000, 700, 31_000, 1_100, everyCacheMs, 2_000]) {
          the().advance(aheadMs);
          for (const status of await statusesOf(the())) seen.add(status);
        }
      } finally {
        await storage.comeBack();
      }
      expect([...seen].filter((status) => status === 401)).toEqual([]);
      expect(seen).toContain(503);
      await expect
        .poll(async () => Math.max(...(await statusesOf(the()))), { timeout: 10_000 })
        .toBeLessThan(500);
      await Bun.sleep(0);
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
