import { describe, expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { makeRecord } from "./ledger.ts";

/** A record, and where the file of a property of it is. */
async function place(the: TestPlatform, property = "attachment") {
  const { id } = await makeRecord(the);
  const record = `/v4/data/resources/${the.workspaces.tenant}/ledger/${id}`;
  return { id, record, path: `${record}/files/${property}` };
}

async function put(the: TestPlatform, path: string, bytes: string, filename = "a.txt") {
  const query = `?filename=${encodeURIComponent(filename)}`;
  const answered = await the.as("tenant-staff").post(path + query, undefined, {
    rawBody: bytes,
    headers: { "content-type": "text/plain" },
  });
  expect(answered.status, answered.text).toBe(201);
  return answered;
}

describePlatform("files of records", (the) => {
  test("come back as they were sent, and the record's data says what they are", async () => {
    const { record, path } = await place(the());
    const answered = await put(the(), path, "Hello world!", "notes.txt");
    expect(answered.headers.get("location")).toBe(path);
    expect(answered.headers.get("etag")).toBe('"2"');
    const viewer = the().as("tenant-viewer");
    const file = await viewer.get(path);
    expect([file.status, file.text]).toEqual([200, "Hello world!"]);
    expect(file.headers.get("content-type")).toBe("text/plain");
    expect(file.headers.get("content-disposition")).toContain('filename="notes.txt"');
    const { json } = await viewer.get(record);
    expect(json).toMatchObject({
      version: 2,
      updated_by: the().users["tenant-staff"].oid,
      data: {
        attachment: {
          filename: "notes.txt",
          contentType: "text/plain",
          size: 12,
          sha256: "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a",
        },
      },
    });
    expect(await the().as("tenant-viewer").fetch("HEAD", path)).toMatchObject({ status: 200 });
  });

  describe("a signed URL", () => {
    test("reads the file without a token until its time is over", async () => {
      const { path } = await place(the());
      await put(the(), path, "Hello world!");
      const { json } = await the().as("tenant-viewer").get(`${path}?access=url`);
      const url = new URL(String(field(json, "url")));
      const expiresAt = Date.parse(String(field(json, "expiresAt")));
      expect(expiresAt - the().now().getTime()).toBeLessThanOrEqual(15 * 60_000);
      expect(expiresAt - the().now().getTime()).toBeGreaterThan(14 * 60_000);
      const token = url.pathname.split("/").at(-1) ?? "";
      const nobody = the().as("nobody");
      const read = await nobody.get(`/v4/data/files/${token}`);
      expect([read.status, read.text]).toEqual([200, "Hello world!"]);
      const [text = "", signature = ""] = token.split(".");
      for (const altered of [`${text}x.${signature}`, `${text}.x${signature}`, text, `${token}.`]) {
        const refused = await nobody.get(`/v4/data/files/${altered}`);
        expect([refused.status, field(refused.json, "code")]).toEqual([403, "link-invalid"]);
      }
      the().advance(15 * 60_000 + 1_000);
      const late = await nobody.get(`/v4/data/files/${token}`);
      expect([late.status, field(late.json, "code")]).toEqual([403, "link-expired"]);
    });
  });
});
