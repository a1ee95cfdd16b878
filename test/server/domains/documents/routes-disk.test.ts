import { expect, test } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingTmpfs } from "#test/support/tmpfs.ts";
import { onSmallDisk } from "#test/support/small-disk.ts";
import { file, form, makeContext, send, untilDone } from "#test/support/document-forms.ts";

const mebibyte = 1024 * 1024;

describeNeeding("a data directory on a full disk", missingTmpfs, () => {
  test("is 507 for an upload; reads and smaller uploads still work", async () => {
    await onSmallDisk(8 * mebibyte, async (the) => {
      const context = await makeContext(the);
      const upload = (name: string, content: Uint8Array<ArrayBuffer>) =>
        send(
          the,
          form(
            the,
            ["planning_application_id", context.application],
            ["files", file(name, content)],
          ),
        );
      const first = await upload("first.txt", new TextEncoder().encode("It was here first."));
      const { jobId, documentId } = uploadAccepted.parse(first.json);
      await untilDone(the, jobId);

      const large = crypto.getRandomValues(new Uint8Array(65_536));
      const tooLarge = new Uint8Array(16 * mebibyte).map(
        (_byte, index) => large[index % 65_536] ?? 0,
      );
      const refused = await upload("large.bin", tooLarge);
      expect(refused.json).toMatchObject({ status: 507, code: "storage-full" });

      const headers = { "x-tenant-id": the.workspaces.tenant };
      const content = await the
        .as("tenant-viewer")
        .get(`/v4/data/documents/records/${documentId}/content`, { headers });
      expect(content.text).toBe("It was here first.");
      const next = await upload("next.txt", new TextEncoder().encode("There is room again."));
      expect(next.status).toBe(202);
      const ended = await untilDone(the, uploadAccepted.parse(next.json).jobId);
      expect(ended.status).toBe("succeeded");
    });
  });
});
