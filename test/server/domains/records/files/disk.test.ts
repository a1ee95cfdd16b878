import { expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { missingTmpfs } from "#test/support/tmpfs.ts";
import { onSmallDisk } from "#test/support/small-disk.ts";
import { makeRecord } from "../routes/ledger.ts";

const mebibyte = 1024 * 1024;

describeNeeding("files of records on a full disk", missingTmpfs, () => {
  test("are refused with 507; stored files are still read, and smaller ones fit", async () => {
    await onSmallDisk(8 * mebibyte, async (the) => {
      const { id } = await makeRecord(the);
      const file = `/v4/data/resources/${the.workspaces.tenant}/ledger/${id}/files/attachment`;
      const put = (rawBody: string | Uint8Array<ArrayBuffer>) =>
        the.as("tenant-staff").post(`${file}?filename=a`, undefined, { rawBody });
      expect((await put("It was here first.")).status).toBe(201);
      const refused = await put(new Uint8Array(16 * mebibyte).fill(7));
      expect(refused.json).toMatchObject({ status: 507, code: "storage-full" });
      expect((await the.as("tenant-viewer").get(file)).text).toBe("It was here first.");
      expect((await put("There is room again.")).json).toMatchObject({ version: 3 });
    });
  });
});
