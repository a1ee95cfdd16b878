import { rm } from "node:fs/promises";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { settleOther } from "#server/platform/backup/sets/settle-other.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";
import { createTestDatabase } from "#test/support/postgres.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { addNote, fill, notes } from "../../move/moved-platforms.ts";
import { backupPlace, restoreOf, takeOf } from "../stored-backups.ts";

const directory = mkdtempSync(join(tmpdir(), "svc-s3-"));
const server = S3Server.start({ directory, pageKeys: 1 });
afterAll(async () => {
  await server.down();
  await rm(directory, { recursive: true, force: true });
});
const { endpoint, region, accessKeyId, secretAccessKey } = server;
const store = {
  filesUrl: `s3://files/svc?endpoint=${endpoint}&region=${region}`,
  filesCredentials: { accessKeyId, secretAccessKey },
};

/** Gives a note a file, whose key in the bucket it returns. */
async function attach(the: TestPlatform, id: string, text: string): Promise<string> {
  const path = `${notes(the)}/${id}/files/plan?filename=plan.txt`;
  const made = await the.as("tenant-staff").post(path, undefined, { rawBody: text });
  expect(made.status, made.text).toBe(201);
  const sha256 = Bun.CryptoHasher.hash("sha256", text, "hex");
  return `svc/${the.workspaces.tenant}/${sha256}`;
}

/** The text of a key; undefined where the bucket does not have it. */
async function textOf(key: string): Promise<string | undefined> {
  const bucket = server.bucket();
  const object = bucket.objects.get(key);
  return object && Bun.file(bucket.pathOf(key, object.versionId)).text();
}

describePlatform(
  "a database that another program has restored",
  (the) => {
    test("gets files after the last backup from the versions of the bucket", async () => {
      server.bucket().isVersioned = true;
      await fill(the());
      const [replaced, deleted, kept] = [
        await addNote(the(), 1_001),
        await addNote(the(), 1_002),
        await addNote(the(), 1_003),
      ];
      const stored = await backupPlace();
      await takeOf(the(), stored);
      const texts = ["The first plan.", "A plan that goes.", "A plan that stays."];
      const keys = [
        await attach(the(), replaced, texts[0] ?? ""),
        await attach(the(), deleted, texts[1] ?? ""),
        await attach(the(), kept, texts[2] ?? ""),
      ];
      // The state of this moment comes from elsewhere, without files.
      const moment = await backupPlace();
      await takeOf(the(), moment);
      const database = the().engine === "sqlite" ? undefined : await createTestDatabase();
      onTestFinished(async () => database?.drop());
      const restored = await restoreOf(moment, { databaseUrl: database?.url });

      await attach(the(), replaced, "The second plan.");
      const path = `${notes(the())}/${deleted}?permanent=true`;
      expect((await the().as("tenant-admin").delete(path)).status).toBe(204);
      await eventually(async () => {
        expect(await Promise.all(keys.map(textOf))).toEqual([texts[0], undefined, texts[2]]);
      });
      const { dataDirectory } = restored;
      const { objects } = stored;
      const options = { objects, dataDirectory, databaseUrl: database?.url, ...store };
      server.fail({ kind: "status", status: 403, code: "AccessDenied" }, ({ query }) =>
        query.has("versions"),
      );
      const place = { kind: "record", objectType: "note", property: "plan", filename: "plan.txt" };
      const { tenant: tenantId } = the().workspaces;
      expect(await settleOther(options)).toMatchObject({
        lost: 1,
        lostFiles: [{ tenantId, id: deleted, ...place }],
        fromVersions: 0,
      });
      server.heal();
      expect(await settleOther(options)).toMatchObject({ lost: 0, lostFiles: [], fromVersions: 1 });
      expect(await Promise.all(keys.map(textOf))).toEqual(texts);

      // A content that is cut in the bucket is replaced by its earlier version.
      const cut = new Request(endpoint, { method: "PUT", body: "A", headers: lengthOf("A") });
      await server.bucket().put(keys[2] ?? "", cut, "UNSIGNED-PAYLOAD");
      expect(await settleOther(options)).toMatchObject({ lost: 0, lostFiles: [], fromVersions: 1 });
      expect(await Promise.all(keys.map(textOf))).toEqual(texts);
    });
  },
  { options: store },
);

function lengthOf(text: string) {
  return { "content-length": String(text.length) };
}
