import { rename } from "node:fs/promises";
import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";

describePlatform("a file store whose folder is gone", (the) => {
  test("is reported by health, by the status and by the doctor", async () => {
    const { dataDirectory, workspaces } = the();
    await rename(dataDirectory, `${dataDirectory}-away`);
    const base = `/v4/data/resources/${workspaces.tenant}/storage`;
    const builder = the().as("tenant-builder");
    try {
      expect((await builder.get("/v4/data/resources/health")).json).toMatchObject({
        components: { files: { status: "degraded" } },
      });
      const blob = expect.objectContaining({ backend: "blob", status: "down" });
      expect((await builder.get(base)).json).toMatchObject({
        backends: expect.arrayContaining([blob]),
      });
      const finding = expect.objectContaining({ code: expect.stringContaining("blob") });
      expect((await builder.get(`${base}/doctor`)).json).toMatchObject({
        ok: false,
        complete: false,
        findings: expect.arrayContaining([finding]),
      });
    } finally {
      await rename(`${dataDirectory}-away`, dataDirectory);
    }
  });
});
