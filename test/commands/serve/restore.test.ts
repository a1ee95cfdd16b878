import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { digestFile } from "#server/platform/backup/manifest.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { createTestPlatform } from "#test/support/platform.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { copyKey, running } from "./data-directories.ts";

const server = S3Server.start({ directory: await temporaryDirectory("s3") });
afterAll(() => server.down());
const { endpoint, region, accessKeyId, secretAccessKey } = server;
const filesUrl = `s3://files/svc?endpoint=${endpoint}&region=${region}`;
const variables = {
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
};

test("files in an S3-compatible store are backed up, checked, and restored to a disk", async () => {
  const dataDirectory = await temporaryDirectory("data");
  const path = join(dataDirectory, "svc.db");
  const the = await createTestPlatform({
    database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
    options: { dataDirectory, filesUrl, filesCredentials: { accessKeyId, secretAccessKey } },
  });
  running.push(the);
  await uploaded(the, await makeContext(the), "A letter about a lamp.");
  const places = ["--data-dir", dataDirectory, "--files-url", filesUrl];
  const healthy = await runCommand(["serve", "doctor", ...places, "--digests"], { variables });
  expect(healthy).toMatchObject({ exitCode: 0, stdout: "" });

  const output = join(await temporaryDirectory("backups"), "one");
  const taken = await runCommand(
    ["serve", "backup", ...places, "--output", output, "--format", "json"],
    { variables },
  );
  expect(taken).toMatchObject({ exitCode: 0, json: { files: { count: 1, bytes: 22 } } });
  expect(taken.stdout).not.toContain(secretAccessKey);

  const target = join(await temporaryDirectory("restored"), "data");
  const restored = await runCommand(["serve", "restore", "--input", output, "--data-dir", target]);
  expect(restored.exitCode).toBe(0);
  const [blob = ""] = (await readdir(target, { recursive: true })).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );
  expect(await digestFile(join(target, blob))).toEqual({ size: 22, sha256: blob.slice(-64) });
  await copyKey(the, target);
  const disk = await runCommand(["serve", "doctor", "--data-dir", target]);
  expect(disk).toMatchObject({ exitCode: 0, stdout: "" });

  server.bucket().objects.clear();
  const lost = await runCommand(["serve", "doctor", ...places], { variables });
  expect(lost.exitCode).toBe(1);
  expect(lost.stdout).toContain("✗ blob-missing (1)");
  const refused = await runCommand(["serve", "doctor", ...places, "--format", "json"]);
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E002" } } });
});
