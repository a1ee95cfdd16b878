import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { describeEachStore } from "./file-stores.ts";
import { makeRecord } from "../routes/ledger.ts";

describeEachStore("files of records", (the) => {
  test("are read as they were sent, and the record's data describes them", async () => {
    const { record, path } = await the().place();
    const answered = await the().put(path, "Hello world!", "notes.txt");
    expect(answered.status, answered.text).toBe(201);
    expect(answered.headers.get("location")).toBe(path);
    expect(answered.headers.get("etag")).toBe('"2"');
    const got = await the().viewer.get(path);
    expect([got.status, got.text]).toEqual([200, "Hello world!"]);
    expect(got.headers.get("content-type")).toBe("text/plain");
    expect(got.headers.get("content-length")).toBe("12");
    const { json } = await the().viewer.get(record);
    expect(json).toMatchObject({
      version: 2,
      updated_by: the().platform.users["tenant-staff"].oid,
      data: {
        attachment: {
          filename: "notes.txt",
          contentType: "text/plain",
          size: 12,
          sha256: "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a",
        },
      },
    });
    // The definition's order, however a file came in between.
    const names = Object.keys(field(json, "data") as object);
    expect(names.slice(-1)).toEqual(["attachment"]);
  });

  test.each([
    ["plans.pdf", "plans.pdf"],
    ["naïve – 計画 🏠.pdf", "na%C3%AFve%20%E2%80%93%20%E8%A8%88%E7%94%BB%20%F0%9F%8F%A0.pdf"],
    ['He said "no";\r\nX: 1.txt', "He%20said%20%22no%22%3BX%3A%201.txt"],
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt"],
    ["..", "document"],
    [" 100%+?&#.txt ", "100%25%2B%3F%26%23.txt"],
    ["\u202egnp.exe", "gnp.exe"],
    ["n".repeat(255), "n".repeat(255)],
    ["計".repeat(85), encodeURIComponent("計".repeat(85))],
  ])("the name %j is kept as it is, and given to save under", async (filename, saved) => {
    const { record, path } = await the().place();
    const answered = await the().put(path, "named", filename);
    expect(answered.json).toMatchObject({ filename });
    const { json } = await the().viewer.get(record);
    expect(json).toMatchObject({ data: { attachment: { filename } } });
    const disposition = (await the().viewer.get(path)).headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/);
    expect(disposition.split("''")[1]).toBe(saved);
  });

  test.each(["multipart/form-data; boundary=b", "Multipart/Form-Data"])(
    "a form is no file: %s",
    async (type) => {
      const { record, path } = await the().place();
      const form = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n';
      const refused = await the().put(path, form, "a.txt", { "content-type": type });
      expect([refused.status, field(refused.json, "detail")]).toEqual([
        415,
        "Cannot take a file from a form here: send its bytes as the body",
      ]);
      expect((await the().viewer.get(record)).json).toMatchObject({ version: 1 });
      expect(await the().isStored(form)).toBe(false);
    },
  );

  test("an empty file is a file", async () => {
    const { path } = await the().place();
    expect((await the().put(path, "", "empty")).json).toMatchObject({ size: 0 });
    const got = await the().viewer.get(path);
    expect([got.status, got.text, got.headers.get("content-length")]).toEqual([200, "", "0"]);
    expect((await the().staff.delete(path)).status).toBe(204);
  });

  test("a keyed upload runs once, and its key is valid for these bytes only", async () => {
    const { record, path } = await the().place();
    const key = { "idempotency-key": crypto.randomUUID(), "if-match": '"1"' };
    const first = await the().put(path, "keyed", "a.txt", key);
    const again = await the().put(path, "keyed", "a.txt", key);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await the().put(path, "other bytes", "a.txt", key);
    expect(field(other.json, "code")).toBe("idempotency-key-reused");
    expect((await the().viewer.get(record)).json).toMatchObject({ version: 2 });
    expect(await the().isStored("other bytes")).toBe(false);
  });

  test("a refused body leaves nothing in the store", async () => {
    const { path } = await the().place();
    const text = `refused at ${path}`;
    const wrong = { "content-digest": `sha-256=:${"A".repeat(43)}=:` };
    expect((await the().put(path, text, "a.txt", wrong)).status).toBe(422);
    expect(await the().isStored(text)).toBe(false);
    expect((await the().viewer.get(path)).status).toBe(404);
  });
});

describePlatform(
  "a file above the limit",
  (the) => {
    test.each([
      ["that says its length", { "content-length": "2000" }],
      ["that says nothing", {}],
    ])("%s is refused", async (_name, headers) => {
      const { id } = await makeRecord(the());
      const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}/files/attachment`;
      const refused = await the()
        .as("tenant-staff")
        .post(`${path}?filename=a`, undefined, { rawBody: "x".repeat(2000), headers });
      expect(refused.json).toMatchObject({ status: 413, limitBytes: 1000 });
      expect((await the().as("tenant-viewer").get(path)).status).toBe(404);
    });
  },
  { limits: { uploadBytes: 1000 } },
);
