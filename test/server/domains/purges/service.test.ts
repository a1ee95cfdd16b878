import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { fill, newChild, tracesOf, writeLate } from "./world.ts";

async function purge(the: TestPlatform, child: string) {
  const { tenant } = the.workspaces;
  return the.as("tenant-admin").post(`/v4/platform/tenants/${tenant}/children/${child}/delete`);
}

describePlatform("a purge", (the) => {
  test("leaves nothing of the workspace, and all of others", { timeout: 60_000 }, async () => {
    const gone = await newChild(the(), "zqgonewhim");
    const kept = await newChild(the(), "zqkeptwhim");
    await Promise.all([fill(the(), gone, "zqgonewhim"), fill(the(), kept, "zqkeptwhim")]);
    expect(await tracesOf(the(), "zqgonewhim")).not.toEqual([]);

    const { status, json } = await purge(the(), gone);
    expect({ status, json }).toMatchObject({
      status: 200,
      json: {
        status: "hard_purged",
        removed: {
          workspaces: 1,
          members: 1,
          objectTypes: 6,
          records: 26,
          // 32 creations, 10 changes, 6 deletions, and the two files of the first record.
          historyEntries: 50,
          // One of a record, and one that was kept for a restore.
          recordFiles: 2,
          documents: 1,
          jobs: 1,
          passages: expect.any(Number),
          conversations: 1,
          messages: 2,
          files: expect.any(Number),
          fileBytes: expect.any(Number),
          keptResponses: 1,
        },
      },
    });
    expect(await tracesOf(the(), "zqgonewhim")).toEqual([]);
    // The audit log of the parent and the feed have the creation and the purge, by id.
    const receipts = [
      "rows of change_batches",
      "rows of audit_entries",
      "rows of workspace_purges",
      "rows of purged_workspaces",
    ];
    const ofId = await tracesOf(the(), gone);
    expect(ofId.filter((place) => place.startsWith("rows")).toSorted()).toEqual(
      receipts.toSorted(),
    );

    const admin = the().as("tenant-admin");
    const found = await admin.get(`/v4/data/documents/search?query=zqkeptwhim`, {
      headers: { "x-tenant-id": kept },
    });
    expect(field(found.json, "results")).not.toEqual([]);
    const search = { query: "zqkeptwhim", types: ["case"] };
    const records = await admin.post(`/v4/data/resources/${kept}/search`, search);
    expect(field(records.json, "results")).not.toEqual([]);
    const where = encodeURIComponent(JSON.stringify({ title: "zqkeptwhim 1" }));
    const first = await admin.get(`/v4/data/resources/${kept}/case?where=${where}`);
    const [item] = field(first.json, "items") as { id: string }[];
    const path = `/v4/data/resources/${kept}/case/${item?.id ?? ""}/files/plan`;
    expect((await admin.get(path)).text).toBe("The shared plan.");
    const doctor = await admin.get(`/v4/data/resources/${kept}/storage/doctor`);
    expect(field(doctor.json, "findings")).toEqual([]);
    expect(the().log).toEqual([]);
  });

  test("removes what a late request wrote, and counts it", async () => {
    const child = await newChild(the(), "zqlatewhim");
    const first = await purge(the(), child);
    await writeLate(the(), child, "zqlatewhim");
    expect(await tracesOf(the(), "zqlatewhim")).not.toEqual([]);
    the().advance(61_000);
    const { purges } = the().platform.services;
    purges.wake();
    await purges.idle();
    expect(await tracesOf(the(), "zqlatewhim")).toEqual([]);
    const again = await purge(the(), child);
    expect(again.json).toMatchObject({
      finishedAt: field(first.json, "finishedAt"),
      removed: { workspaces: 1, conversations: 1, files: 1, fileBytes: "zqlatewhim".length },
    });
  });

  test("ends the signed links of a deleted workspace, and a restoration renews them", async () => {
    const child = await newChild(the(), "zqlinkwhim");
    await fill(the(), child, "zqlinkwhim");
    const admin = the().as("tenant-admin");
    const where = encodeURIComponent(JSON.stringify({ title: "zqlinkwhim 1" }));
    const page = await admin.get(`/v4/data/resources/${child}/case?where=${where}`);
    const [item] = field(page.json, "items") as { id: string }[];
    const file = `/v4/data/resources/${child}/case/${item?.id ?? ""}/files/plan?access=url`;
    const link = new URL(String(field((await admin.get(file)).json, "url"))).pathname;
    expect((await the().as("nobody").get(link)).status).toBe(200);
    await admin.post(`/v4/platform/tenants/${child}/delete`);
    expect((await the().as("nobody").get(link)).status).toBe(404);
    await admin.post(`/v4/platform/tenants/${child}/restore`);
    expect((await the().as("nobody").get(link)).status).toBe(200);
  });
});
