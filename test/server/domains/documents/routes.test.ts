import { beforeAll, describe, expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import type { ApiCase } from "#test/support/api-cases.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";

const records = "/v4/data/documents/records";
const unknownId = "01900000-0000-7000-8000-00000000dead";
const inTenant = { "x-tenant-id": "{tenant}" };
const inOther = { "x-tenant-id": "{other}" };
const content = "The wall at 18 Quay Street is 2.4 metres high.\n";

describePlatform("documents", (the) => {
  let context: Context;
  let made: Record<string, string>;

  /** One document, which all reading cases share. */
  beforeAll(async () => {
    context = await makeContext(the());
    const accepted = await uploaded(the(), context, content, "wall.txt");
    made = {
      id: accepted.documentId ?? "",
      compact: (accepted.documentId ?? "").replaceAll("-", ""),
      number: accepted.documentNumber ?? "",
      job: accepted.jobId,
    };
  });
  const before = async () => made;

  /** A separate document, for a case that changes it. */
  const fresh = async (platform: TestPlatform): Promise<Record<string, string>> => {
    const accepted = await uploaded(platform, context, crypto.randomUUID());
    return { id: accepted.documentId ?? "", job: accepted.jobId };
  };

  describe("are read:", () => {
    apiCases(the, [
      ...["{id}", "{compact}", "{number}"].map((id): ApiCase => ({
        name: `a viewer reads the record by ${id}`,
        as: "tenant-viewer",
        method: "GET",
        path: `${records}/${id}?storage_target=resourceapi`,
        headers: inTenant,
        before,
        expect: {
          status: 200,
          body: { filename: "wall.txt", status: "ready", processingMode: "full", pages: 1 },
          headers: { etag: /^"\d+"$/ },
        },
      })),
      {
        name: "the job that made it is a good cross-check",
        method: "GET",
        path: `${records}/{id}?job_id={job}`,
        headers: inTenant,
        before,
        expect: { status: 200 },
      },
      {
        name: "another job is not",
        method: "GET",
        path: `${records}/{id}?job_id=${unknownId}`,
        headers: inTenant,
        before,
        expect: { status: 404, pointers: ["#/query/job_id"] },
      },
      {
        name: "another storage target is refused",
        method: "GET",
        path: `${records}/{id}?storage_target=blob`,
        headers: inTenant,
        before,
        expect: { status: 422, pointers: ["#/query/storage_target"] },
      },
      {
        name: "an unknown document is 404",
        method: "GET",
        path: `${records}/${unknownId}`,
        headers: inTenant,
        expect: { status: 404, code: "not-found" },
      },
      {
        name: "an id that is none is 422",
        method: "GET",
        path: `${records}/..%2F..%2Fetc`,
        headers: inTenant,
        expect: { status: 422, pointers: ["#/path/documentId"] },
      },
      ...["{id}", "{number}", "{id}/content", "{id}/pages/1", "{id}/tables"].map(
        (path): ApiCase => ({
          name: `another workspace's ${path} is 404`,
          as: "outsider",
          method: "GET",
          path: `${records}/${path}`,
          headers: inOther,
          before,
          expect: { status: 404, code: "not-found", excludes: ["wall"] },
        }),
      ),
      {
        name: "the content is the file itself",
        as: "tenant-viewer",
        method: "GET",
        path: `${records}/{number}/content?storage_target=resourceapi`,
        headers: inTenant,
        before,
        expect: {
          status: 200,
          headers: {
            "content-type": "text/plain",
            "content-disposition": `attachment; filename="wall.txt"; filename*=UTF-8''wall.txt`,
            "content-length": String(content.length),
            "x-content-type-options": "nosniff",
            etag: /^"[0-9a-f]{64}"$/,
          },
        },
        after: async (_the, answered) => expect(answered.text).toBe(content),
      },
      {
        name: "a part of it",
        method: "GET",
        path: `${records}/{id}/content`,
        headers: { ...inTenant, range: "bytes=4-7" },
        before,
        expect: { status: 206, headers: { "content-range": `bytes 4-7/${content.length}` } },
        after: async (_the, answered) => expect(answered.text).toBe("wall"),
      },
      {
        name: "a part that is not there is 416",
        method: "GET",
        path: `${records}/{id}/content`,
        headers: { ...inTenant, range: "bytes=1000-" },
        before,
        expect: {
          status: 416,
          code: "range-not-satisfiable",
          headers: { "content-range": `bytes */${content.length}` },
        },
      },
      {
        name: "a page of its text",
        as: "tenant-viewer",
        method: "GET",
        path: `${records}/{id}/pages/1`,
        headers: inTenant,
        before,
        expect: { status: 200, body: { page: 1, pages: 1, text: content.trim() } },
      },
      {
        name: "a page that it does not have",
        method: "GET",
        path: `${records}/{id}/pages/2`,
        headers: inTenant,
        before,
        expect: { status: 404, code: "not-found" },
      },
      {
        name: "a page that is none",
        method: "GET",
        path: `${records}/{id}/pages/0`,
        headers: inTenant,
        before,
        expect: { status: 422, pointers: ["#/path/page"] },
      },
      {
        name: "the list, by a filter",
        as: "tenant-viewer",
        method: "GET",
        path: `${records}?where=%7B%22filename%22%3A%22wall.txt%22%7D&count=true&sort=filename`,
        headers: inTenant,
        before,
        expect: { status: 200, body: { total: 1, items: [{ filename: "wall.txt" }] } },
      },
      {
        name: "the list of another workspace is empty",
        as: "outsider",
        method: "GET",
        path: `${records}?count=true`,
        headers: inOther,
        before,
        expect: { status: 200, body: { total: 0, items: [] } },
      },
      {
        name: "a filter that is none",
        method: "GET",
        path: `${records}?where=%7B%22owner%22%3A1%7D`,
        headers: inTenant,
        expect: { status: 422, pointers: ["#/query/where/owner"] },
      },
    ]);
  });

  describe("are deleted:", () => {
    apiCases(the, [
      {
        name: "by who uploaded it, with a receipt",
        as: "tenant-staff",
        method: "DELETE",
        path: `${records}/{id}?storage_target=resourceapi`,
        headers: inTenant,
        before: fresh,
        expect: {
          status: 200,
          body: { removed: { file: true, analysis: true, chunks: 1, vectors: 0 }, complete: true },
        },
      },
      {
        name: "by a builder",
        as: "tenant-builder",
        method: "DELETE",
        path: `${records}/{id}`,
        headers: inTenant,
        before: fresh,
        expect: { status: 200, body: { complete: true } },
      },
      {
        name: "not by a viewer",
        as: "tenant-viewer",
        method: "DELETE",
        path: `${records}/{id}`,
        headers: inTenant,
        before,
        expect: { status: 403, code: "permission-denied" },
      },
      {
        name: "not from another workspace",
        as: "outsider",
        method: "DELETE",
        path: `${records}/{id}`,
        headers: inOther,
        before,
        expect: { status: 404, code: "not-found" },
      },
      {
        name: "not what is not there",
        method: "DELETE",
        path: `${records}/DOC-1999-000001`,
        headers: inTenant,
        expect: { status: 404, code: "not-found" },
      },
    ]);

    test("not with the ETag of another version", async () => {
      const { id = "" } = await fresh(the());
      const headers = { "x-tenant-id": the().workspaces.tenant };
      const remove = (tag: string) =>
        the()
          .as("tenant-staff")
          .delete(`${records}/${id}`, { headers: { ...headers, "if-match": tag } });
      expect((await remove('"1000"')).json).toMatchObject({
        status: 412,
        code: "precondition-failed",
      });
      const found = await the().as("tenant-viewer").get(`${records}/${id}`, { headers });
      expect(found.status).toBe(200);
      expect(await remove(found.headers.get("etag") ?? "")).toMatchObject({ status: 200 });
    });

    test("and then all routes return 404", async () => {
      const { id = "" } = await fresh(the());
      const headers = { "x-tenant-id": the().workspaces.tenant };
      await the().as("tenant-staff").delete(`${records}/${id}`, { headers });
      for (const path of ["", "/content", "/pages/1", "/tables"]) {
        const answered = await the().as("tenant-admin").get(`${records}/${id}${path}`, { headers });
        expect(answered.status).toBe(404);
      }
      const again = await the().as("tenant-staff").delete(`${records}/${id}`, { headers });
      expect(again.status).toBe(404);
      const listed = await the().as("tenant-admin").get(`${records}?limit=500`, { headers });
      expect(JSON.stringify(field(listed.json, "items"))).not.toContain(id);
    });
  });
});
