import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { given } from "#lib/given.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { field } from "#test/support/platform.ts";
import { startPlatform, svc } from "#test/support/svc.ts";
import { S3Server } from "../../../support/s3/server.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

async function startStore(): Promise<S3Server> {
  return S3Server.start({ directory: await temporaryDirectory("s3") });
}

const urlOf = ({ endpoint, region }: S3Server) =>
  `s3://files/svc?endpoint=${endpoint}&region=${region}&path-style=true`;
const keysOf = ({ accessKeyId, secretAccessKey }: S3Server) => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});

interface Desk {
  call(method: string, path: string, body?: FormData, headers?: object): Promise<Response>;
  upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<Response>;
  readonly tenant: string;
}

/** A workspace with the parents of a document. */
async function makeDesk(platform: RunningPlatform): Promise<Desk> {
  const authorization = `Bearer ${await platform.token()}`;
  const make = async (path: string, body: unknown, headers = {}) => {
    const answer = await fetch(platform.url + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const json: unknown = await answer.json();
    expect({ status: answer.status, json }).toMatchObject({ status: 201 });
    return String(field(json, "id"));
  };
  const names = { slug: `desk-${crypto.randomUUID().slice(0, 8)}`, displayName: "Desk" };
  const tenant = await make("/v4/platform/tenants", { ...names, homeRegion: "eu" });
  const inTenant = { "x-tenant-id": tenant };
  const type = { name: "PlanningApplication", slug: "planning-application" };
  const properties = { reference: { type: "string" } };
  await make("/v4/data/resources/object-types", { ...type, properties }, inTenant);
  const records = `/v4/data/resources/${tenant}/planning-application`;
  const application = await make(records, { reference: "PA-1" });
  const call: Desk["call"] = (method, path, body, headers = {}) =>
    fetch(platform.url + path, {
      method,
      headers: { authorization, ...inTenant, ...headers },
      ...given({ body }),
    });
  return {
    tenant,
    call,
    upload: (name, content) => {
      const form = new FormData();
      form.set("tenant_id", tenant);
      form.set("storage_target", "resourceapi");
      form.set("processing_mode", "full");
      form.set("planning_application_id", application);
      form.set("files", new File([content], name));
      return call("POST", "/v4/data/documents/upload", form);
    },
  };
}

describe("the compiled platform with --files-url", () => {
  test("stores a document: upload, job, range of its content, removal", async () => {
    await using store = await startStore();
    const args = [`--files-url=${urlOf(store)}`];
    await using platform = await startPlatform({ args, env: keysOf(store) });
    const { tenant, call, upload } = await makeDesk(platform);
    const text = "The wall at 18 Quay Street is 2.4 metres high.\n";
    const uploaded = await upload("wall.txt", text);
    const accepted: unknown = await uploaded.json();
    expect({ status: uploaded.status, accepted }).toMatchObject({ status: 202 });
    const id = String(field(accepted, "documentId"));
    const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    expect([...store.bucket().objects.keys()]).toEqual([`svc/${tenant}/${sha256}`]);

    const job = `/v4/data/documents/jobs/${String(field(accepted, "jobId"))}`;
    await expect
      .poll(async () => field(await (await call("GET", job)).json(), "status"), { timeout: 15_000 })
      .toBe("succeeded");

    const content = `/v4/data/documents/records/${id}/content`;
    const whole = await call("GET", content);
    expect([whole.status, await whole.text()]).toEqual([200, text]);
    const part = await call("GET", content, undefined, { range: "bytes=4-7" });
    expect([part.status, await part.text()]).toEqual([206, "wall"]);

    const removed = await call("DELETE", `/v4/data/documents/records/${id}`);
    expect(await removed.json()).toMatchObject({ complete: true, removed: { file: true } });
    expect(store.bucket().objects.size).toBe(0);
    expect(await platform.stop()).toBe(0);
    expect(platform.stderr()).not.toContain(store.secretAccessKey);
  }, 60_000);

  test("killed during a large upload: accepts nothing, and nothing stays", async () => {
    await using store = await startStore();
    const args = [`--files-url=${urlOf(store)}`];
    const dataDir = await temporaryDirectory("killed");
    const started = { dataDir, args, env: keysOf(store) };
    const first = await startPlatform(started);
    const desk = await makeDesk(first);
    // The second part never gets a response.
    store.fail({ kind: "silence" }, ({ query }) => query.get("partNumber") === "2");
    const lost = desk.upload("large.bin", new Uint8Array(20 * 1024 * 1024)).catch(() => "lost");
    await expect
      .poll(() => store.requests.some(({ query }) => query.get("partNumber") === "2"), {
        timeout: 30_000,
      })
      .toBe(true);
    await first.kill();
    expect(await lost).toBe("lost");
    expect(store.bucket().uploads.size).toBe(1);

    store.heal();
    await using second = await startPlatform(started);
    expect([store.bucket().uploads.size, store.bucket().objects.size]).toEqual([0, 0]);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    const { upload } = await makeDesk(second);
    const again = await upload("large.bin", new Uint8Array(20 * 1024 * 1024));
    expect([again.status, store.bucket().objects.size]).toEqual([202, 1]);
  }, 90_000);

  test.each<[string, (store: S3Server) => { url?: string; env?: object }, string, string]>([
    ["a URL that is none", () => ({ url: "https://files" }), "E305", "expected s3://bucket/prefix"],
    [
      "a URL with credentials",
      () => ({ url: "s3://AKID:hidden-secret@files" }),
      "E305",
      "credentials come from the environment only",
    ],
    [
      "no credentials",
      () => ({ env: {} }),
      "E002",
      "S3_ACCESS_KEY_ID environment variable not set",
    ],
    [
      "a wrong secret",
      ({ accessKeyId }) => ({
        env: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: "hidden-secret" },
      }),
      "E006",
      "Could not list files: the secret access key does not belong to the access key (SignatureDoesNotMatch)",
    ],
    [
      "another bucket",
      (store) => ({ url: urlOf(store).replace("//files", "//other") }),
      "E006",
      "the bucket does not exist (NoSuchBucket)",
    ],
    [
      "a store that is away",
      () => ({ url: "s3://files?endpoint=http://127.0.0.1:1" }),
      "E006",
      "the file store does not answer (ECONNREFUSED)",
    ],
  ])("is refused with %s, a message and no secret", async (_name, wrong, code, words) => {
    await using store = await startStore();
    const { url = urlOf(store), env = keysOf(store) } = wrong(store);
    const dataDirectory = await temporaryDirectory("refused");
    const result = await svc(
      ["serve", "--port=0", `--data-dir=${dataDirectory}`, `--files-url=${url}`, "--format=json"],
      { env: { ...env } },
    );
    // A URL that cannot be one is a fault of the input; the others are the store's.
    expect(result.exitCode).toBe(code.startsWith("E3") ? 2 : 1);
    const { error }: { error: unknown } = JSON.parse(result.stdout);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(result.stdout + result.stderr).not.toMatch(/hidden-secret|\bat .+:\d+:\d+/);
  });
});
