import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";

describePlatform("searches of one caller", (the) => {
  test("beyond a bound are refused for now, and delay no other workspace's", async () => {
    const { tenant, other } = the().workspaces;
    const properties = { text: { type: "text", searchable: true } };
    const definition = { name: "Letter", slug: "letter", properties };
    for (const [user, workspace] of [
      ["tenant-admin", tenant],
      ["outsider", other],
    ] as const) {
      const caller = the().as(user);
      const headers = { "x-tenant-id": workspace };
      await caller.post("/v4/data/resources/object-types", definition, { headers });
      const base = `/v4/data/resources/${workspace}/letter`;
      expect((await caller.post(base, { text: "a wall at the garden" })).status).toBe(201);
    }
    const path = (workspace: string): string => `/v4/data/resources/${workspace}/search`;
    const body = { query: "garden wall", limit: 5 };
    let answered = 0;
    const viewer = the().as("tenant-viewer");
    const loud = Array.from({ length: 200 }, async () => {
      const { status, headers, json } = await viewer.post(path(tenant), body);
      if (status === 200) answered += 1;
      else {
        expect(headers.get("retry-after")).toBe("1");
        expect(json).toMatchObject({ code: "overloaded", retryable: true });
      }
      return status;
    });
    // It is sent after all of the loud ones, which take the permits and wait.
    const quiet = await the().as("outsider").post(path(other), body);
    const before = answered;
    expect(quiet.status).toBe(200);
    expect(quiet.json).toMatchObject({ results: [{ type: "letter" }] });
    const statuses = await Promise.all(loud);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    // If all shared one queue, every waiting search would come before it.
    expect(before).toBeLessThan(answered);
  });
});
