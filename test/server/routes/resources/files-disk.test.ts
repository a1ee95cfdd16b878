import { join } from "node:path";
import { expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "#test/support/tmpfs.ts";
import { makeRecord } from "./ledger.ts";

const mebibyte = 1024 * 1024;

describeNeeding("files of records on a full disk", missingTmpfs, () => {
  test("are a clear 507; what is there is read, and smaller ones fit", async () => {
    const dataDirectory = await temporaryDirectory("full-disk");
    await using _mounted = await mountTmpfs(dataDirectory, 8 * mebibyte);
    const path = join(await temporaryDirectory("full-disk-database"), "svc.db");
    const the = await createTestPlatform({
      database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
      options: { dataDirectory },
    });
    try {
      const { id } = await makeRecord(the);
      const file = `/v4/data/resources/${the.workspaces.tenant}/ledger/${id}/files/attachment`;
      const put = (rawBody: string | Uint8Array<ArrayBuffer>) =>
        the.as("tenant-staff").post(`${file}?filename=a`, undefined, { rawBody });
      expect((await put("It was here first.")).status).toBe(201);
      const refused = await put(new Uint8Array(16 * mebibyte).fill(7));
      expect(refused.json).toMatchObject({ status: 507, code: "storage-full" });
      expect(refused.headers.get("connection")).toBe("close");
      expect((await the.as("tenant-viewer").get(file)).text).toBe("It was here first.");
      expect((await put("There is room again.")).json).toMatchObject({ version: 3 });
    } finally {
      await the.close();
    }
  });
});
