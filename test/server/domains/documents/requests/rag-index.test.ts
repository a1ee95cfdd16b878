import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentJob } from "#contract/documents/jobs.ts";
import { documentRecord } from "#contract/documents/records.ts";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { file, formOf, makeContext, send, untilDone } from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";
import { describePlatform } from "#test/support/platform.ts";
import { letter, startLetterServer } from "./letter-server.ts";

const server = startLetterServer();

afterAll(() => server.stop(true));

const host = `127.0.0.1:${server.port}`;
const base = "/v4/data/documents";
const inTenant = { "x-tenant-id": "{tenant}" };

describePlatform(
  "requests about documents",
  (the) => {
    let context: Context;
    let stored: Record<string, string>;

    const read = async (path: string) =>
      await the()
        .as("tenant-viewer")
        .get(path, { headers: { "x-tenant-id": tenant() } });

    const tenant = (): string => the().workspaces.tenant;

    async function upload(mode: string, ...entries: [string, string][]) {
      const form = formOf(
        ["tenant_id", tenant()],
        ["storage_target", "resourceapi"],
        ["processing_mode", mode],
        ...entries,
        ["files", file("letter.txt", `${letter}${crypto.randomUUID()}`)],
      );
      const accepted = uploadAccepted.parse((await send(the(), form)).json);
      await untilDone(the(), accepted.jobId);
      const record = documentRecord.parse(
        (await read(`${base}/records/${accepted.documentId}`)).json,
      );
      return { ...accepted, record };
    }

    beforeAll(async () => {
      context = await makeContext(the());
      const { documentId = "", record } = await upload("store_only", [
        "planning_application_id",
        context.application,
      ]);
      expect(record).toMatchObject({ indexStatus: "none", pages: null, status: "ready" });
      stored = { id: documentId, path: record.storagePath ?? "" };
    });

    const before = async () => stored;

    describe("rag-index", () => {
      const ask = (wanted: Partial<ApiCase> & Pick<ApiCase, "name" | "expect">): ApiCase => ({
        method: "POST",
        path: `${base}/rag-index`,
        headers: inTenant,
        as: "tenant-staff",
        body: { documentId: "{id}", storagePath: "{path}" },
        before,
        ...wanted,
      });
      apiCases(the, [
        ask({ name: "a viewer may not", as: "tenant-viewer", expect: { status: 403 } }),
        ask({
          name: "another workspace's document is 404",
          as: "outsider",
          headers: { "x-tenant-id": "{other}" },
          expect: { status: 404, code: "not-found" },
        }),
        ask({
          name: "another storage path is 422",
          body: { documentId: "{id}", storagePath: "documents/../secret" },
          expect: { status: 422, pointers: ["#/storagePath"] },
        }),
        ask({
          name: "an id that is none is 422",
          body: { documentId: "../x" },
          expect: { status: 422, pointers: ["#/documentId"] },
        }),
      ]);

      test("indexes a stored document in its own job, which replays by its key", async () => {
        const staff = the().as("tenant-staff");
        const headers = { "x-tenant-id": tenant(), "idempotency-key": crypto.randomUUID() };
        const body = { documentId: stored["id"], storagePath: stored["path"] };
        const queued = await staff.post(`${base}/rag-index`, body, { headers });
        expect(queued.status).toBe(202);
        const { jobId } = documentJob.parse(queued.json);
        expect(queued.headers.get("location")).toBe(`${the().baseUrl}${base}/jobs/${jobId}`);
        const again = await staff.post(`${base}/rag-index`, body, { headers });
        expect(again.json).toEqual(queued.json);
        expect(await untilDone(the(), jobId)).toMatchObject({
          status: "succeeded",
          documentIds: [stored["id"]],
          stages: [
            { name: "store", status: "succeeded" },
            { name: "extract", status: "succeeded" },
            { name: "classify", status: "skipped" },
            { name: "analyze", status: "skipped" },
            { name: "index", status: "succeeded" },
          ],
        });
        const record = (await read(`${base}/records/${stored["id"]}?job_id=${jobId}`)).json;
        expect(record).toMatchObject({ indexStatus: "indexed", pages: 1, chunkCount: 1, jobId });
        // It runs again, and replaces its passages.
        const { jobId: second } = documentJob.parse(
          (await staff.post(`${base}/rag-index`, body, { headers: { "x-tenant-id": tenant() } }))
            .json,
        );
        expect(await untilDone(the(), second)).toMatchObject({ status: "succeeded" });
        const indexed = (await read(`${base}/records/${stored["id"]}?job_id=${jobId}`)).json;
        expect(indexed).toMatchObject({ indexStatus: "indexed", chunkCount: 1, jobId: second });
      });
    });
  },
  { options: { fetchHosts: [host] } },
);
