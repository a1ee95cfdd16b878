import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { file, form, makeContext, send, uploaded } from "../document-forms.ts";
import { makeRecord } from "./ledger.ts";

const server = S3Server.start({ directory: await temporaryDirectory("s3") });
afterAll(() => server.down());
const { endpoint, region, accessKeyId, secretAccessKey } = server;

/** Where the platform keeps bytes, and how the digests of a workspace's are listed. */
const stores = {
  disk: {
    options: {},
    stored: async ({ dataDirectory, workspaces }: TestPlatform): Promise<string[]> => {
      const root = join(dataDirectory, "blobs", workspaces.tenant);
      const names = await readdir(root, { recursive: true }).catch(() => []);
      return names.flatMap((name) => /[0-9a-f]{64}$/.exec(name) ?? []);
    },
  },
  s3: {
    options: {
      filesUrl: `s3://files/svc?endpoint=${endpoint}&region=${region}`,
      filesCredentials: { accessKeyId, secretAccessKey },
    },
    stored: async ({ workspaces }: TestPlatform): Promise<string[]> =>
      [...server.bucket().objects.keys()]
        .filter((key) => key.startsWith(`svc/${workspaces.tenant}/`))
        .map((key) => key.slice(-64)),
  },
};

const digestOf = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

for (const [store, { options, stored }] of Object.entries(stores)) {
  describePlatform(
    `files of records, kept on ${store},`,
    (the) => {
      const staff = () => the().as("tenant-staff");
      const viewer = () => the().as("tenant-viewer");
      const isStored = async (text: string): Promise<boolean> =>
        (await stored(the())).includes(digestOf(text));
      const isGone = (text: string): Promise<void> =>
        vi.waitFor(async () => expect(await isStored(text)).toBe(false), { timeout: 10_000 });

      /** A record, and where the file of a property of it is. */
      async function place(property = "attachment") {
        const { id, reference } = await makeRecord(the());
        const record = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
        return { id, reference, record, path: `${record}/files/${property}` };
      }

      async function put(path: string, bytes: string, filename = "a.txt", headers = {}) {
        const query = `?filename=${encodeURIComponent(filename)}`;
        const answered = await staff().post(path + query, undefined, {
          rawBody: bytes,
          headers: { "content-type": "text/plain", ...headers },
        });
        return answered;
      }

      test("come back as they were sent, and the record's data says what they are", async () => {
        const { record, path } = await place();
        const answered = await put(path, "Hello world!", "notes.txt");
        expect(answered.status, answered.text).toBe(201);
        expect(answered.headers.get("location")).toBe(path);
        expect(answered.headers.get("etag")).toBe('"2"');
        const got = await viewer().get(path);
        expect([got.status, got.text]).toEqual([200, "Hello world!"]);
        expect(got.headers.get("content-type")).toBe("text/plain");
        expect(got.headers.get("content-length")).toBe("12");
        const { json } = await viewer().get(record);
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
        const { record, path } = await place();
        const answered = await put(path, "named", filename);
        expect(answered.json).toMatchObject({ filename });
        const { json } = await viewer().get(record);
        expect(json).toMatchObject({ data: { attachment: { filename } } });
        const disposition = (await viewer().get(path)).headers.get("content-disposition") ?? "";
        expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/);
        expect(disposition.split("''")[1]).toBe(saved);
      });

      test.each([
        [{ range: "bytes=0-4" }, 206, "Hello", "bytes 0-4/12"],
        [{ range: "bytes=6-" }, 206, "world!", "bytes 6-11/12"],
        [{ range: "bytes=-1" }, 206, "!", "bytes 11-11/12"],
        [{ range: "bytes=0-999" }, 206, "Hello world!", "bytes 0-11/12"],
        [{ range: "bytes=0-1,4-5" }, 200, "Hello world!", null],
        [{ range: "lines=0-1" }, 200, "Hello world!", null],
        [{ range: "bytes=0-4", "if-range": "{etag}" }, 206, "Hello", "bytes 0-4/12"],
        [{ range: "bytes=0-4", "if-range": '"other"' }, 200, "Hello world!", null],
        [{ "if-none-match": "{etag}" }, 304, "", null],
        [{ "if-none-match": '"other"' }, 200, "Hello world!", null],
      ])("%j is answered with %d %j", async (asked, status, text, range) => {
        const { path } = await place();
        await put(path, "Hello world!");
        const etag = `"${digestOf("Hello world!")}"`;
        const headers = Object.fromEntries(
          Object.entries(asked).map(([name, value]) => [name, value.replace("{etag}", etag)]),
        );
        const got = await viewer().get(path, { headers });
        expect([got.status, got.text]).toEqual([status, text]);
        expect(got.headers.get("content-range")).toBe(range);
        expect(got.headers.get("etag")).toBe(etag);
        const head = await viewer().fetch("HEAD", path, { headers });
        expect([head.status, await head.text()]).toEqual([status, ""]);
        expect(head.headers.get("content-length")).toBe(got.headers.get("content-length"));
      });

      test("an empty file is a file", async () => {
        const { path } = await place();
        expect((await put(path, "", "empty")).json).toMatchObject({ size: 0 });
        const got = await viewer().get(path);
        expect([got.status, got.text, got.headers.get("content-length")]).toEqual([200, "", "0"]);
        expect((await staff().delete(path)).status).toBe(204);
      });

      test("a keyed upload is done once, and its key is for these bytes", async () => {
        const { record, path } = await place();
        const key = { "idempotency-key": crypto.randomUUID(), "if-match": '"1"' };
        const first = await put(path, "keyed", "a.txt", key);
        const again = await put(path, "keyed", "a.txt", key);
        expect([again.status, again.json]).toEqual([201, first.json]);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
        const other = await put(path, "other bytes", "a.txt", key);
        expect(field(other.json, "code")).toBe("idempotency-key-reused");
        expect((await viewer().get(record)).json).toMatchObject({ version: 2 });
        expect(await isStored("other bytes")).toBe(false);
      });

      test("a replaced file's bytes go, and its version says what it was", async () => {
        const { record, path } = await place();
        await put(path, `before ${record}`, "before.txt");
        await put(path, `after ${record}`, "after.txt");
        await isGone(`before ${record}`);
        expect((await viewer().get(path)).text).toBe(`after ${record}`);
        const old = await viewer().get(`${record}?version=2`);
        expect(old.json).toMatchObject({ data: { attachment: { filename: "before.txt" } } });
        const { json } = await viewer().get(`${record}/history`);
        expect(json).toMatchObject({
          items: [
            {
              version: 3,
              changes: expect.arrayContaining([
                { op: "replace", path: "/attachment/filename", value: "after.txt" },
              ]),
            },
            { version: 2, changes: [{ op: "add", path: "/attachment" }] },
            { version: 1 },
          ],
        });
      });

      test("bytes that somebody else has stay until nobody does", async () => {
        const one = await place();
        const other = await place("plan");
        const text = `%PDF shared by ${one.id}`;
        await put(one.path, text);
        const pdf = { "content-type": "application/pdf" };
        expect((await put(other.path, text, "a.pdf", pdf)).status).toBe(201);
        expect((await staff().delete(one.path)).status).toBe(204);
        expect((await viewer().get(one.path)).status).toBe(404);
        expect((await viewer().get(other.path)).text).toBe(text);
        expect((await staff().delete(other.path)).status).toBe(204);
        await isGone(text);
      });

      test("a document with the same bytes keeps them, and its end leaves them to the record", async () => {
        const context = await makeContext(the());
        const { path } = await place();
        const text = `A letter that is attached as well, to ${path}.`;
        const headers = { "x-tenant-id": the().workspaces.tenant };
        const records = "/v4/data/documents/records";
        const first = await uploaded(the(), context, text, "letter.txt");
        await put(path, text);
        const admin = the().as("tenant-admin");
        const removed = await admin.delete(`${records}/${first.documentId}`, { headers });
        expect(removed.json).toMatchObject({ complete: true, removed: { file: false } });
        expect((await viewer().get(path)).text).toBe(text);
        const second = await uploaded(the(), context, text, "letter.txt");
        await staff().delete(path);
        const content = `${records}/${second.documentId}/content`;
        expect((await viewer().get(content, { headers })).text).toBe(text);
        await admin.delete(`${records}/${second.documentId}`, { headers });
        await isGone(text);
      });

      test("go with their record, one by one or many at a time", async () => {
        const [one, two, three] = [await place(), await place(), await place()];
        for (const { id, path } of [one, two, three]) await put(path, `file of ${id}`);
        expect((await staff().delete(one.record)).status).toBe(204);
        await isGone(`file of ${one.id}`);
        expect((await viewer().get(one.path)).status).toBe(404);
        const batch = `/v4/data/resources/${the().workspaces.tenant}/ledger/batch/delete`;
        const { json } = await staff().post(batch, { ids: [two.id, three.id] });
        expect(json).toMatchObject({ succeeded: 2 });
        await isGone(`file of ${two.id}`);
        await isGone(`file of ${three.id}`);
      });

      test("survive a change of the record, which can neither forge nor remove them", async () => {
        const { record, path, reference } = await place();
        const kept = await put(path, `kept by ${record}`);
        const { json } = await staff().put(record, { data: { reference }, version: 2 });
        expect(json).toMatchObject({ version: 3, data: { attachment: { filename: "a.txt" } } });
        const forged = { ...(kept.json as object), filename: "forged.txt" };
        const refused = await staff().put(record, {
          data: { reference, attachment: forged },
          version: 3,
        });
        expect(refused.json).toMatchObject({ errors: [{ pointer: "#/data/attachment" }] });
        expect((await viewer().get(path)).text).toBe(`kept by ${record}`);
      });

      test("stay with a record that an action or a batch changes", async () => {
        const { id, record, path, reference } = await place();
        await put(path, `kept by ${record}`);
        const acted = await staff().post(`${record}/actions/close`, { parameters: { by: "ada" } });
        expect(acted.json).toMatchObject({
          version: 3,
          data: { status: "closed", attachment: { filename: "a.txt" } },
        });
        const batch = `/v4/data/resources/${the().workspaces.tenant}/ledger/batch/update`;
        const items = [{ id, version: 3, data: { reference, title: "changed" } }];
        expect((await staff().post(batch, { items })).json).toMatchObject({ succeeded: 1 });
        expect((await viewer().get(record)).json).toMatchObject({
          version: 4,
          data: { title: "changed", attachment: { filename: "a.txt" } },
        });
        expect((await viewer().get(path)).text).toBe(`kept by ${record}`);
      });

      test("go when their type has lost the property and the record is written again", async () => {
        const builder = the().as("tenant-builder");
        const headers = { "x-tenant-id": the().workspaces.tenant };
        const types = "/v4/data/resources/object-types";
        const properties = { title: { type: "string" }, cover: { type: "file" } };
        const made = await builder.post(
          types,
          { name: "Album", slug: "album", properties },
          { headers },
        );
        const albums = `/v4/data/resources/${the().workspaces.tenant}/album`;
        const records: string[] = [];
        for (const title of ["one", "two"]) {
          const { json } = await staff().post(albums, { title });
          const record = `${albums}/${String(field(json, "id"))}`;
          await put(`${record}/files/cover`, `cover of ${record}`);
          records.push(record);
        }
        const [one = "", two = ""] = records;
        const less = { properties: { title: { type: "string" } } };
        const changed = await builder.patch(`${types}/${String(field(made.json, "id"))}`, less, {
          headers,
        });
        expect(changed.status, changed.text).toBe(200);
        expect((await viewer().get(`${one}/files/cover`)).status).toBe(404);
        expect(await isStored(`cover of ${one}`)).toBe(true);
        await staff().put(one, { data: { title: "one" }, version: 2 });
        const items = [{ id: two.split("/").at(-1), version: 2, data: { title: "two" } }];
        await staff().post(`${albums}/batch/update`, { items });
        // Any upload looks for what may go.
        await put((await place()).path, "another one");
        await isGone(`cover of ${one}`);
        await isGone(`cover of ${two}`);
      });

      test("a signed URL reads these bytes without a token until its time is over", async () => {
        const { path } = await place();
        await put(path, "Hello world!");
        const link = async (): Promise<string> => {
          const { json } = await viewer().get(`${path}?access=url`);
          const leftMs = Date.parse(String(field(json, "expiresAt"))) - the().now().getTime();
          expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
          expect(leftMs).toBeGreaterThan(14 * 60_000);
          const url = new URL(String(field(json, "url")));
          expect(url.origin).toBe(the().baseUrl);
          return url.pathname.split("/").at(-1) ?? "";
        };
        const nobody = the().as("nobody");
        const token = await link();
        const read = await nobody.get(`/v4/data/files/${token}`, {
          headers: { range: "bytes=0-4" },
        });
        expect([read.status, read.text]).toEqual([206, "Hello"]);
        expect(read.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
        const [text = "", signature = ""] = token.split(".");
        const later = Buffer.from(
          Buffer.from(text, "base64url")
            .toString()
            .replace(/\d+\]$/, "9999999999]"),
        ).toString("base64url");
        for (const altered of [
          `${text}x.${signature}`,
          `${text}.x${signature}`,
          `${later}.${signature}`,
          text,
          `${token}.`,
          "x",
        ]) {
          const refused = await nobody.get(`/v4/data/files/${altered}`);
          expect([refused.status, field(refused.json, "code")]).toEqual([403, "link-invalid"]);
        }
        await put(path, "Other bytes");
        expect((await nobody.get(`/v4/data/files/${token}`)).status).toBe(404);
        const newer = await link();
        the().advance(15 * 60_000 + 1_000);
        const late = await nobody.get(`/v4/data/files/${newer}`);
        expect([late.status, field(late.json, "code")]).toEqual([403, "link-expired"]);
      });

      /** As a client does: busy is no answer, so it asks again. */
      async function insisting(send: () => Promise<Answered>): Promise<Answered> {
        for (let attempt = 1; ; attempt += 1) {
          const answered = await send();
          const isBusy = field(answered.json, "code") === "overloaded";
          if (!isBusy || attempt === 20) return answered;
        }
      }

      test("uploads and deletions of the same bytes at a time lose none that is named", async () => {
        const text = `raced for ${crypto.randomUUID()}`;
        const places = await Promise.all(Array.from({ length: 6 }, () => place()));
        await Promise.all(
          places.map(async ({ path }, index) => {
            for (let round = 0; round < 4; round += 1) {
              const raced = await insisting(() => put(path, text));
              expect(raced.status, raced.text).toBe(201);
              if (round === 3 && index % 2 === 1) return;
              const deleted = await insisting(() => staff().delete(path));
              expect(deleted.status, deleted.text).toBe(204);
            }
          }),
        );
        const left = await Promise.all(places.map(({ path }) => viewer().get(path)));
        expect(left.map(({ status }) => status)).toEqual([404, 200, 404, 200, 404, 200]);
        expect(left.filter(({ status }) => status === 200).map((got) => got.text)).toEqual([
          text,
          text,
          text,
        ]);
        for (const { path } of places) await insisting(() => staff().delete(path));
        await isGone(text);
      });

      test("a body that is refused leaves nothing in the store", async () => {
        const { path } = await place();
        const text = `refused at ${path}`;
        const wrong = { "content-digest": `sha-256=:${"A".repeat(43)}=:` };
        expect((await put(path, text, "a.txt", wrong)).status).toBe(422);
        expect(await isStored(text)).toBe(false);
        expect((await viewer().get(path)).status).toBe(404);
        const later = await send(
          the(),
          form(the(), ["processing_mode", "full"], ["files", file("a.txt", text)]),
        );
        expect(later.status).toBe(422);
        expect(await isStored(text)).toBe(false);
      });
    },
    { options },
  );
}

describePlatform(
  "a file above the limit",
  (the) => {
    test.each([
      ["that says its length", { "content-length": "2000" }],
      ["that says nothing", {}],
    ])("%s is refused, and closes the connection", async (_name, headers) => {
      const { id } = await makeRecord(the());
      const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}/files/attachment`;
      const refused = await the()
        .as("tenant-staff")
        .post(`${path}?filename=a`, undefined, { rawBody: "x".repeat(2000), headers });
      expect(refused.json).toMatchObject({ status: 413, limitBytes: 1000 });
      expect(refused.headers.get("connection")).toBe("close");
      expect((await the().as("tenant-viewer").get(path)).status).toBe(404);
    });
  },
  { limits: { uploadBytes: 1000 } },
);
