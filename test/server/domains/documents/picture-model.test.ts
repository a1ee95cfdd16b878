import { deflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeContext, uploaded, type Context } from "#test/support/document-forms.ts";
import { startModelServer } from "#test/support/model-server.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { scannedPdf } from "../../text/ocr/scanned-pdf.ts";

const server = await startModelServer({
  answer: () => ({ text: ["The wall at 18 Quay Street", " is 2.4 metres high."] }),
});
afterAll(async () => server[Symbol.asyncDispose]());
afterEach(() => server.behave(undefined));

const data = deflateSync(Buffer.alloc(300 * 200, 140));
const scan = { width: 300, height: 200, bits: 8, data } as const;
const records = "/v4/data/documents/records";

describePlatform(
  "scanned pages with a model that reads images",
  (the) => {
    let context: Context;
    beforeAll(async () => {
      context = await makeContext(the());
    });
    async function read(text: string) {
      const pdf = new Uint8Array(scannedPdf([{ text }, scan]));
      const { documentId, jobId } = await uploaded(the(), context, pdf, "scan.pdf");
      const of = { headers: { "x-tenant-id": the().workspaces.tenant } };
      const viewer = the().as("tenant-viewer");
      const record = await viewer.get(`${records}/${documentId}`, of);
      const page = await viewer.get(`${records}/${documentId}/pages/2`, of);
      const first = await viewer.get(`${records}/${documentId}/pages/1?words=true`, of);
      const plain = await viewer.get(`${records}/${documentId}/pages/1`, of);
      expect(field(plain.json, "words")).toBeUndefined();
      const job = await viewer.get(`/v4/data/documents/jobs/${jobId}`, of);
      const texts = { text: field(page.json, "text"), typed: first.json };
      return { record: record.json, ...texts, job: job.json };
    }

    test("are read by it, and the record names it", async () => {
      const { record, text, typed, job } = await read("Typed words of one page.");
      expect(typed).toMatchObject({
        text: "Typed words of one page.",
        width: 612,
        height: 792,
        words: [{ start: 0, end: 5, x: 20, height: 12 }, { start: 6, end: 11 }, {}, {}, {}],
      });
      expect(text).toBe("The wall at 18 Quay Street is 2.4 metres high.");
      expect(record).toMatchObject({
        properties: { pictureModel: { name: "seer", pages: [2] } },
      });
      expect(job).toMatchObject({ status: "succeeded" });
      const asked = server.requests.at(-1)?.body;
      expect(asked?.model).toBe("seer");
      const shown = JSON.stringify(asked?.messages);
      expect(shown).toContain("data:image/png;base64,iVBOR");
    });

    test("are recognised when it fails, and the job says so and names the unread page", async () => {
      server.behave("refuses");
      const { record, text, job } = await read("Typed words of another page.");
      expect(text).toBe("");
      const said = expect.stringMatching(/^The model seer did not read page 2 \(.+\); the text/);
      expect(record).toMatchObject({ properties: { warnings: [said], unreadPages: [2] } });
      expect(job).toMatchObject({
        status: "completed_with_errors",
        error: { code: "pages-without-text", message: expect.stringContaining("page 2") },
        documents: [{ warnings: [said] }],
      });
    });
  },
  { options: { modelEndpoint: { baseUrl: server.url, visionModel: "seer" } } },
);
