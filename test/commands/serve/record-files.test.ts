import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createPlatform } from "#server/platform.ts";
import { createTestPlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { copyKey, running } from "./data-directories.ts";
import { svcExecutable } from "#test/support/svc.ts";

const server = S3Server.start({ directory: await temporaryDirectory("s3") });
afterAll(() => server.down());
const { endpoint, region, accessKeyId, secretAccessKey } = server;
const filesUrl = `s3://files/svc?endpoint=${endpoint}&region=${region}`;
const variables = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };

/** A platform with a record that has a file. */
async function withFile(options: object): Promise<{ the: TestPlatform; file: string }> {
  const dataDirectory = await temporaryDirectory("data");
  const path = join(dataDirectory, "svc.db");
  const the = await createTestPlatform({
    database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
    options: { dataDirectory, ...options },
  });
  running.push(the);
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const type = { name: "Tree", slug: "tree", properties: { photo: { type: "file" } } };
  await the.as("tenant-builder").post("/v4/data/resources/object-types", type, { headers });
  const trees = `/v4/data/resources/${the.workspaces.tenant}/tree`;
  const { json } = await the.as("tenant-staff").post(trees, {});
  const file = `${trees}/${String(field(json, "id"))}/files/photo`;
  const uploaded = await the
    .as("tenant-staff")
    .post(`${file}?filename=oak.txt`, undefined, { rawBody: "An oak." });
  expect(uploaded.status, uploaded.text).toBe(201);
  return { the, file };
}

describe.each([
  ["the data directory", {}, []],
  [
    "an S3-compatible store",
    { filesUrl, filesCredentials: { accessKeyId, secretAccessKey } },
    ["--files-url", filesUrl],
  ],
] as const)("records' files in %s", (_where, options, words) => {
  test("are backed up, restored, and found missing", async () => {
    const { the, file } = await withFile(options);
    const places = ["--data-dir", the.dataDirectory, ...words];
    const doctor = async () =>
      (await runCommand(["serve", "doctor", ...places, "--format", "json"], { variables })).json;
    expect(await doctor()).toMatchObject({ ok: true, findings: [], checked: { files: 1 } });

    const output = join(await temporaryDirectory("backups"), "one");
    const backup = ["serve", "backup", ...places, "--output", output, "--format", "json"];
    expect(await runCommand(backup, { variables })).toMatchObject({
      exitCode: 0,
      json: { complete: true, files: { count: 1, bytes: 7 } },
    });
    const target = join(await temporaryDirectory("restored"), "data");
    const restore = ["serve", "restore", "--input", output, "--data-dir", target];
    expect((await runCommand(restore)).exitCode).toBe(0);
    await copyKey(the, target);
    const restored = await createPlatform({
      dataDirectory: target,
      baseUrl: the.baseUrl,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      extractionCommand: [await svcExecutable(), "__extract"],
    });
    const authorization = `Bearer ${the.users["tenant-viewer"].token}`;
    const read = await restored.fetch(
      new Request(the.baseUrl + file, { headers: { authorization } }),
    );
    expect(await read.text()).toBe("An oak.");
    await restored.close();

    if (words.length > 0) server.bucket().objects.clear();
    else {
      const root = join(the.dataDirectory, "blobs", the.workspaces.tenant);
      const [blob = ""] = (await readdir(root, { recursive: true })).filter((name) =>
        /[0-9a-f]{64}$/.test(name),
      );
      await rm(join(root, blob));
    }
    expect(await doctor()).toMatchObject({
      ok: false,
      findings: [{ code: "blob-missing", count: 1, workspaceId: the.workspaces.tenant }],
    });
    const gone = await the.as("tenant-viewer").get(file);
    expect(gone).toMatchObject({
      status: 500,
      json: { code: "content-missing", retryable: false },
    });
    // An upload of the same bytes repairs the file.
    await the
      .as("tenant-staff")
      .post(`${file}?filename=oak.txt`, undefined, { rawBody: "An oak." });
    expect(await doctor()).toMatchObject({ ok: true, checked: { files: 1 } });
  });
});
