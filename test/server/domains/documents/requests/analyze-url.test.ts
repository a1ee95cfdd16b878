import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { makeContext } from "#test/support/document-forms.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform } from "#test/support/platform.ts";
import { letter, startLetterServer } from "./letter-server.ts";

let endless = 0;
const server = startLetterServer(() => (endless += 1));

afterAll(() => server.stop(true));

const host = `127.0.0.1:${server.port}`;
const base = "/v4/data/documents";
const inTenant = { "x-tenant-id": "{tenant}" };

describePlatform(
  "requests about documents",
  (the) => {
    const read = async (path: string) =>
      await the()
        .as("tenant-viewer")
        .get(path, { headers: { "x-tenant-id": tenant() } });

    const tenant = (): string => the().workspaces.tenant;

    beforeAll(async () => {
      await makeContext(the());
    });

    describe("classify-by-url", () => {
      const ask = (wanted: Partial<ApiCase> & Pick<ApiCase, "name" | "expect">): ApiCase => ({
        method: "POST",
        path: `${base}/classify-by-url`,
        headers: inTenant,
        as: "tenant-staff",
        body: { url: `http://${host}/letters/objection.txt` },
        ...wanted,
      });
      apiCases(the, [
        ask({
          name: "analyses the file of an allowed host",
          expect: {
            status: 200,
            body: {
              url: `http://${host}/letters/objection.txt`,
              filename: "objection.txt",
              mediaType: "text/plain",
              size: letter.length,
              pages: 1,
              classification: { label: expect.any(String), confidence: expect.any(Number) },
            },
          },
        }),
        ask({ name: "a viewer may not", as: "tenant-viewer", expect: { status: 403 } }),
        ask({
          name: "an address that is not public is 422",
          body: { url: `http://localhost:${server.port}/` },
          expect: { status: 422, pointers: ["#/url"], excludes: ["object"] },
        }),
        ask({
          name: "a file that can't be read is 422",
          body: { url: `http://${host}/broken.pdf` },
          expect: { status: 422, pointers: ["#/url"] },
        }),
        ask({
          name: "one key of the pair is 422",
          body: { url: `http://${host}/`, vertical_key: "planning-portal" },
          expect: { status: 422, pointers: ["#/workflow_key"] },
        }),
        ask({
          name: "an unknown workflow is 422",
          body: { url: `http://${host}/`, vertical_key: "planning-portal", workflow_key: "none" },
          expect: { status: 422, code: "document-context-missing" },
        }),
      ]);

      test("stores nothing", async () => {
        const count = async () => (await read(`${base}/records?count=true&limit=1`)).json;
        const jobs = async () => (await read(`${base}/jobs?count=true&limit=1`)).json;
        const [records, tracked] = [await count(), await jobs()];
        const body = { url: `http://${host}/a`, vertical_key: "planning-portal" };
        const keys = { ...body, workflow_key: "planning-assistant" };
        const answered = await the()
          .as("tenant-staff")
          .post(`${base}/classify-by-url`, keys, { headers: { "x-tenant-id": tenant() } });
        expect(answered.status).toBe(200);
        expect([await count(), await jobs()]).toEqual([records, tracked]);
      });

      test("leaves a turn to other workspaces while files of one do not end", async () => {
        const { users, workspaces, answer, baseUrl } = the();
        const ends = new AbortController();
        const askFor = (path: string, user: "tenant-staff" | "outsider", workspace: string) =>
          answer(
            new Request(`${baseUrl}${base}/classify-by-url`, {
              method: "POST",
              headers: {
                authorization: `Bearer ${users[user].token}`,
                "content-type": "application/json",
                "x-tenant-id": workspace,
              },
              body: JSON.stringify({ url: `http://${host}${path}` }),
              signal: ends.signal,
            }),
          );
        const before = endless;
        const drips = Array.from({ length: 6 }, () =>
          askFor("/endless.txt", "tenant-staff", workspaces.tenant),
        );
        await eventually(() => expect(endless).toBe(before + 2));
        const other = await askFor("/a", "outsider", workspaces.other);
        expect(other.status).toBe(200);
        expect(endless).toBe(before + 2);
        ends.abort();
        for (const drip of await Promise.allSettled(drips)) {
          expect(drip.status === "fulfilled" && drip.value.status < 500).toBe(true);
        }
      });

      test("removes the files that a killed platform has left", async () => {
        const old = await mkdtemp(join(tmpdir(), "svc-url-"));
        const running = await mkdtemp(join(tmpdir(), "svc-url-"));
        await writeFile(join(old, "file"), letter);
        const before = new Date(Date.now() - 2 * 60 * 60_000);
        await utimes(old, before, before);
        const answered = await the()
          .as("tenant-staff")
          .post(
            `${base}/classify-by-url`,
            { url: `http://${host}/a` },
            { headers: { "x-tenant-id": tenant() } },
          );
        expect(answered.status).toBe(200);
        const left = (await readdir(tmpdir())).filter((name) => name.startsWith("svc-url-"));
        expect(left).not.toContain(basename(old));
        expect(left).toContain(basename(running));
        await rm(running, { recursive: true });
      });
    });
  },
  { options: { fetchHosts: [host] } },
);
