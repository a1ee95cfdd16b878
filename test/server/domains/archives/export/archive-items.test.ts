import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import { archiveOf, archivesPath, importedArchive } from "../world.ts";

const megabyte = 1024 * 1024;

/** Makes a record with a file of this content; returns the digest of the file. */
async function attach(the: TestPlatform, content: string): Promise<string> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/plan`;
  const staff = the.as("tenant-staff");
  const made = await staff.post(path, { data: {} });
  const sent = await staff.post(
    `${path}/${String(field(made.json, "id"))}/files/file?filename=plan.txt`,
    undefined,
    {
      headers: { "content-type": "text/plain" },
      rawBody: content,
    },
  );
  expect(sent.status, sent.text).toBe(201);
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

/** Flips one bit of a stored file, as a failing disk does. */
async function flipBit(the: TestPlatform, sha256: string): Promise<void> {
  const names = await readdir(the.dataDirectory, { recursive: true });
  const path = join(the.dataDirectory, names.find((name) => name.endsWith(sha256)) ?? "");
  const bytes = await readFile(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

describePlatform("an archive of a workspace with damaged files", (the) => {
  test("is sound, lists the damaged files as missing, and its job says so", async () => {
    const { tenant } = the().workspaces;
    const headers = { "x-tenant-id": tenant };
    const plan = { name: "Plan", slug: "plan", properties: { file: { type: "file" } } };
    const types = "/v4/data/resources/object-types";
    const typed = await the().as("tenant-builder").post(types, plan, { headers });
    expect(typed.status, typed.text).toBe(201);
    await attach(the(), "The wall is sound.");
    const damaged = [
      await attach(the(), "The fence is damaged."),
      await attach(the(), "A long plan.".repeat(megabyte / 2)),
    ];
    await attach(the(), "A sound long plan.".repeat(megabyte / 3));
    for (const sha256 of damaged) await flipBit(the(), sha256);

    const admin = the().as("tenant-admin");
    const archive = await archiveOf(admin, tenant, {}, "completed_with_errors");
    expect(archive.manifest.files.count).toBe(2);
    expect(archive.manifest.missing.toSorted()).toEqual(damaged.toSorted());
    const shown = await admin.get(`${archivesPath(tenant)}/${archive.id}`);
    expect(field(field(shown.json, "error"), "message")).toBe(
      "2 files are missing from the file store or damaged, and not in the archive",
    );

    const { other } = the().workspaces;
    await importedArchive(the(), other, archive.bytes, "outsider");
    const path = `/v4/data/resources/${other}/plan`;
    const { json } = await the().as("outsider").get(`${path}?count=true`);
    expect(field(json, "total")).toBe(4);
  });
});
