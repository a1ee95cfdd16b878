import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import {
  file,
  form,
  makeContext,
  send,
  uploaded,
  type Context,
} from "#test/support/document-forms.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { scannedPdf } from "../../../text/ocr/scanned-pdf.ts";
import { tiffFile } from "../../../text/ocr/tiff-file.ts";

const inTenant = { "x-tenant-id": "{tenant}" };
const [width, height] = [400, 600];
/** The upper half is dark. */
const dots = new Uint8Array(width * height).fill(255).fill(0, 0, (width * height) / 2);
const scan = { width, height, bits: 8, data: deflateSync(dots) } as const;
const hidden = "BT /F 12 Tf 3 Tr 10 10 Td (Hidden words) Tj ET";
const visible = "BT /F 12 Tf 10 10 Td (Stamped words) Tj ET";
const pdf = scannedPdf([
  scan,
  { text: "A typed page of letters." },
  { ...scan, layer: hidden },
  { ...scan, layer: visible },
  {},
]);
const half = dots.subarray(0, 200 * 100);
const tiff = tiffFile([
  { width: 200, height: 100, dots: half },
  { width: 100, height: 200, dots: half },
]);

/** A document whose job is ended at once: the recognition of its text would take seconds. */
async function unread(platform: TestPlatform, context: Context, scan: File): Promise<string> {
  const body = form(platform, ["planning_application_id", context.application], ["files", scan]);
  const accepted = uploadAccepted.parse((await send(platform, body)).json);
  const headers = { "x-tenant-id": platform.workspaces.tenant };
  const staff = platform.as("tenant-staff");
  await staff.post(`/v4/data/documents/jobs/${accepted.jobId}/cancel`, {}, { headers });
  return accepted.documentId ?? "";
}

describePlatform("the picture of a page", (the, _isInThread, engine) => {
  let made: Record<string, string>;

  beforeAll(async () => {
    const context = await makeContext(the());
    const [scanned, fax, note] = await Promise.all([
      unread(the(), context, file("scan.pdf", new Uint8Array(pdf))),
      unread(the(), context, file("fax.tif", tiff)),
      uploaded(the(), context, "The wall is high.", "wall.txt"),
    ]);
    made = { pdf: scanned, tiff: fax, note: note.documentId ?? "" };
  });
  const before = async () => made;

  const one = (name: string, path: string, rest: Partial<ApiCase> & Pick<ApiCase, "expect">) => ({
    name,
    as: "tenant-viewer" as const,
    method: "GET",
    path: `/v4/data/documents/records/${path}`,
    headers: inTenant,
    before,
    ...rest,
  });
  const refused = (name: string, path: string, detail: RegExp): ApiCase =>
    one(name, path, {
      expect: { status: 422, code: "no-page-picture" },
      after: async (_the, { json }) => expect(field(json, "detail")).toMatch(detail),
    });

  describe("is refused:", () => {
    apiCases(the, [
      refused(
        "a typed page",
        "{pdf}/pages/2/picture",
        /^Page 2 of DOC-\S+ has text.*Read its text/,
      ),
      refused("a scan with a visible stamp", "{pdf}/pages/4/picture", /has text/),
      refused("an empty page", "{pdf}/pages/5/picture", /shows nothing.*original file/),
      refused("a text file", "{note}/pages/1/picture", /has text/),
      one("a page of a document whose pages are not counted", "{pdf}/pages/6/picture", {
        expect: { status: 404, code: "not-found" },
      }),
      one("a page beyond the last", "{note}/pages/2/picture", {
        expect: { status: 404, code: "not-found" },
        after: async (_the, { json }) => expect(field(json, "detail")).toMatch(/ has 1 page$/),
      }),
      one("another workspace's document", "{pdf}/pages/1/picture", {
        as: "outsider",
        headers: { "x-tenant-id": "{other}" },
        expect: { status: 404, code: "not-found" },
      }),
      one("no token", "{pdf}/pages/1/picture", { as: "nobody", expect: { status: 401 } }),
      ...["15", "2001", "wide"].map((wide) =>
        one(`a width of ${wide}`, `{pdf}/pages/1/picture?width=${wide}`, {
          expect: { status: 422, pointers: ["#/query/width"] },
        }),
      ),
      one("page 0", "{pdf}/pages/0/picture", {
        expect: { status: 422, pointers: ["#/path/page"] },
      }),
    ]);
  });

  const drawn = [
    ["a scanned page", "pdf", 1, 100, "100x150"],
    ["a scan with the hidden text of its recognition", "pdf", 3, 40, "40x60"],
    ["a scan in its own size", "pdf", 1, 2_000, "400x600"],
    ["the first page of a TIFF file", "tiff", 1, 1_000, "200x100"],
    ["the second page of it", "tiff", 2, 50, "50x100"],
  ] as const;
  // The database only says whether a page has text: one page is enough for the other one.
  test.each(engine === "sqlite" ? drawn : drawn.slice(0, 1))(
    "is that of %s",
    async (_name, document, page, wide, size) => {
      const id = made[document] ?? "";
      const at = `/v4/data/documents/records/${id}/pages/${page}/picture?width=${wide}`;
      const headers = { "x-tenant-id": the().workspaces.tenant };
      const answered = await the().as("tenant-viewer").fetch("GET", at, { headers });
      expect(answered.status).toBe(200);
      expect(answered.headers.get("content-type")).toBe("image/png");
      expect(answered.headers.get("content-disposition")).toMatch(/-page-\d\.png"/);
      const bytes = await answered.bytes();
      expect(answered.headers.get("content-length")).toBe(String(bytes.length));
      const picture = await new Bun.Image(bytes).metadata();
      expect(`${picture.width}x${picture.height}`).toBe(size);
    },
  );
});
