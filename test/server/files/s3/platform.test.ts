import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import {
  file,
  form,
  makeContext,
  send,
  untilDone,
  uploaded,
} from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const records = "/v4/data/documents/records";
const server = S3Server.start({ directory: await temporaryDirectory("s3") });
afterAll(() => server.down());
const { endpoint, region, accessKeyId, secretAccessKey } = server;

const options = {
  filesUrl: `s3://files/svc?endpoint=${endpoint}&region=${region}`,
  filesCredentials: { accessKeyId, secretAccessKey },
};

describePlatform(
  "a platform with its files in an S3-compatible store",
  (the) => {
    let context: Context;
    beforeAll(async () => {
      context = await makeContext(the());
    });

    const inTenant = (platform: TestPlatform) => ({ "x-tenant-id": platform.workspaces.tenant });
    const read = (path: string, headers: Record<string, string> = {}) =>
      the()
        .as("tenant-viewer")
        .get(`${records}/${path}`, { headers: { ...inTenant(the()), ...headers } });
    const stored = () =>
      [...server.bucket().objects.keys()].filter((key) =>
        key.startsWith(`svc/${the().workspaces.tenant}/`),
      );
    const waiting = () => readdir(join(the().dataDirectory, "uploads"));

    test("processes a document, reads a range of it, and removes it", async () => {
      const text = "The wall at 18 Quay Street is 2.4 metres high.\n";
      const accepted = await uploaded(the(), context, text, "wall.txt");
      const id = accepted.documentId ?? "";
      const before = stored();
      expect(before.length).toBe(1);
      expect(await waiting()).toEqual([]);

      expect((await read(id)).json).toMatchObject({ status: "ready", pages: 1 });
      expect(await read(`${id}/content`)).toMatchObject({ status: 200, text });
      const part = await read(`${id}/content`, { range: "bytes=4-7" });
      expect(part).toMatchObject({ status: 206, text: "wall" });
      expect(part.headers.get("content-range")).toBe(`bytes 4-7/${text.length}`);
      expect(await read(`${id}/content`, { range: "bytes=1000-" })).toMatchObject({ status: 416 });

      const removed = await the()
        .as("tenant-admin")
        .delete(`${records}/${id}`, { headers: inTenant(the()) });
      expect(removed.json).toMatchObject({ complete: true, removed: { file: true } });
      expect(stored()).toEqual([]);
    });

    test("accepts no upload while the store is down, and the same one afterwards", async () => {
      const body = () =>
        form(
          the(),
          ["planning_application_id", context.application],
          ["files", file("later.txt", "The gate opens at nine.")],
        );
      const logged = the().log.length;
      await server.down();
      const refused = await send(the(), body());
      server.resume();
      expect(refused).toMatchObject({
        status: 503,
        json: { code: "storage-unavailable", retryable: true },
      });
      expect(JSON.stringify(the().log.slice(logged))).toContain("the file store does not answer");
      expect(JSON.stringify([refused.text, the().log])).not.toContain(secretAccessKey);
      const list = await the()
        .as("tenant-viewer")
        .get(`${records}?count=true&where=${encodeURIComponent('{"filename":"later.txt"}')}`, {
          headers: inTenant(the()),
        });
      expect(field(list.json, "total")).toBe(0);
      expect(stored()).toEqual([]);
      expect(await waiting()).toEqual([]);

      const accepted = await send(the(), body());
      expect(accepted.status).toBe(202);
      expect(await untilDone(the(), String(field(accepted.json, "jobId")))).toMatchObject({
        status: "succeeded",
      });
      expect(stored().length).toBe(1);
    });

    test("reports the missing store in its health, and serves other requests", async () => {
      const health = async () => {
        the().advance(30_000);
        return the().as("nobody").get("/v4/data/resources/health");
      };
      expect((await health()).json).toMatchObject({
        status: "ok",
        components: { files: { status: "ok", detail: "s3" } },
      });
      await server.down();
      const without = await health();
      server.resume();
      expect(without).toMatchObject({
        status: 200,
        json: { status: "degraded", components: { files: { status: "degraded" } } },
      });
      expect(without.text).not.toContain(endpoint);
      expect((await health()).json).toMatchObject({ status: "ok" });
    });

    test("refuses content while the store is down, with the reason", async () => {
      const accepted = await uploaded(the(), context, "The lamp is green.");
      const id = accepted.documentId ?? "";
      await server.down();
      const refused = await read(`${id}/content`);
      server.resume();
      expect(refused).toMatchObject({ status: 503, json: { code: "storage-unavailable" } });
      expect(refused.text).not.toContain(endpoint);
      expect(await read(`${id}/content`)).toMatchObject({ text: "The lamp is green." });
    });

    test("runs the doctor while the store is down: reports that and other findings", async () => {
      const diagnose = () =>
        the()
          .as("tenant-builder")
          .get(`/v4/data/resources/${the().workspaces.tenant}/storage/doctor`);
      const sound = await diagnose();
      expect(sound.json).toMatchObject({ ok: true, complete: true, findings: [] });
      await server.down();
      const { status, json } = await diagnose();
      server.resume();
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          ok: false,
          complete: false,
          findings: [{ code: "blob-unreachable", backend: "blob", severity: "error" }],
          checked: { files: 0 },
        },
      });
      expect(Number(field(field(json, "checked"), "records"))).toBeGreaterThan(0);
    });

    test.each([
      [403, "AccessDenied", "refuses the platform's requests"],
      [404, "NoSuchBucket", "refuses the platform's requests"],
      [503, "SlowDown", "is busy"],
      [500, "InternalError", "fails"],
    ])("reports the state of a store that answers %i %s", async (status, code, conduct) => {
      const { documentId = "" } = await uploaded(the(), context, `The ${code} is painted.`);
      const logged = the().log.length;
      server.fail({ kind: "status", status, code });
      the().advance(30_000);
      const health = await the().as("nobody").get("/v4/data/resources/health");
      const content = await read(`${documentId}/content`);
      const storage = `/v4/data/resources/${the().workspaces.tenant}/storage`;
      const backends = await the().as("tenant-builder").get(storage);
      const diagnosis = await the().as("tenant-builder").get(`${storage}/doctor`);
      server.heal();
      const detail = `The file store ${conduct}`;
      expect(health.json).toMatchObject({ components: { files: { detail: conduct } } });
      expect(content).toMatchObject({
        status: 503,
        json: { code: "storage-unavailable", detail, retryable: true },
      });
      expect(field(backends.json, "backends")).toContainEqual(
        expect.objectContaining({ backend: "blob", status: "down", detail }),
      );
      expect(field(diagnosis.json, "findings")).toMatchObject([
        { code: "blob-unreachable", detail: `${detail}, so its files were not checked` },
      ]);
      const reason = { error: expect.stringContaining(`(${code})`) };
      expect(the().log.slice(logged)).toContainEqual(
        expect.objectContaining({ event: "part-unwell", part: "files", ...reason }),
      );
      expect(await read(`${documentId}/content`)).toMatchObject({ status: 200 });
    });

    test("survives a silent connection to the store", async () => {
      const { documentId = "" } = await uploaded(the(), context, "The clock has stopped.");
      const { token } = the().users["tenant-builder"];
      const told = async (path: string): Promise<string[]> => {
        const calls: string[] = [];
        const authorization = `Bearer ${token}`;
        const headers = { ...inTenant(the()), authorization, host: new URL(the().baseUrl).host };
        const request = new Request(the().baseUrl + path, { headers });
        const answer = await the().platform.fetch(request, {
          address: "127.0.0.1",
          expectSilence: () => calls.push("silence"),
          expectTraffic: () => calls.push("traffic"),
        });
        expect(answer.status).toBe(200);
        await answer.text();
        return calls;
      };
      const borne = ["silence", "traffic"];
      expect(await told(`${records}/${documentId}/content`)).toEqual(borne);
      const storage = `/v4/data/resources/${the().workspaces.tenant}/storage`;
      expect(await told(storage)).toEqual(borne);
      expect(await told(`${storage}/doctor`)).toEqual(borne);
    });

    test("distinguishes a lost file from a missing store", async () => {
      const before = new Set(stored());
      const { documentId = "" } = await uploaded(the(), context, "The key is under the mat.");
      for (const key of stored()) if (!before.has(key)) server.bucket().objects.delete(key);
      expect(await read(`${documentId}/content`)).toMatchObject({
        status: 500,
        json: { code: "content-missing", retryable: false },
      });
    });

    test("continues a job once the store answers again", async () => {
      const isGet = ({ method }: { method: string }) => method === "GET";
      server.fail({ kind: "status", status: 503, code: "SlowDown" }, isGet, 5);
      const accepted = await uploaded(the(), context, "The bridge is closed on Sundays.");
      expect((await read(accepted.documentId ?? "")).json).toMatchObject({ status: "ready" });
      server.heal();
    });
  },
  { options },
);
