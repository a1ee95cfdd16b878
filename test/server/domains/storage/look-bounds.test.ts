import { expect, test } from "vitest";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { checkBlobs } from "#server/domains/storage/blob-check.ts";
import { checkRecords } from "#server/domains/storage/doctor.ts";
import { TickShare } from "#server/kit/turns/tick-share.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const note = definition({ name: "Note", slug: "note", properties: { title: { type: "string" } } });

/** Deadlines on the clock of `performance.now()`, with what each look finds. */
const times: [string, number, { checked: number; complete: boolean }][] = [
  ["time is over", 0, { checked: 0, complete: false }],
  ["there is time", Number.POSITIVE_INFINITY, { checked: 3, complete: true }],
];

describeOnEachDatabase("a check of the storage", (open) => {
  test.each(times)(
    "reports how many records it checked when %s",
    async (_name, endsAtMs, expected) => {
      const services = recordServices(await open());
      const workspace = newWorkspace();
      const type = await services.objectTypes.create(services.work, workspace, note);
      for (const title of ["One", "Two", "Three"]) {
        await services.resources.create(services.work, workspace, "note", { title });
      }
      const stored = await services.objectTypes.find(workspace, type.slug);
      if (stored === undefined) throw new Error("the type is there");
      const reader = services.database.read;
      const result = await checkRecords({ reader, type: stored.stored, limit: 500, endsAtMs });
      expect(result).toMatchObject({ ...expected, findings: [] });
    },
  );

  test("also stops at its deadline for files, and reports none as missing that it did not check", async () => {
    const services = recordServices(await open());
    const workspaceId = newWorkspace();
    const blobs = createDiskBlobStore(await temporaryDirectory("blobs"));
    const bytes = new Blob(["A file without a row"]).stream();
    const staged = await blobs.stage(workspaceId, bytes, { limitBytes: 100 });
    await staged.publish();
    const look = { reader: services.database.read, blobs, workspaceId, limit: 500 };
    const hurried = await checkBlobs({ ...look, withDigests: false, endsAtMs: 0 });
    expect(hurried).toMatchObject({ findings: [], complete: false });
    const whole = await checkBlobs({ ...look, withDigests: false });
    expect(whole).toMatchObject({ findings: [{ code: "blob-orphaned" }], complete: true });
  });
});

test("long work yields to other work", async () => {
  let answered = false;
  setImmediate(() => (answered = true));
  const share = new TickShare();
  await share.yieldWhenUsed();
  expect(answered).toBe(false);
  Bun.sleepSync(10);
  await share.yieldWhenUsed();
  expect(answered).toBe(true);
});
