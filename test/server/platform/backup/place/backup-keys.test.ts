import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBackupKeys } from "#server/platform/backup/place/backup-keys.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("the key of backups is made once, readable by its owner only", async () => {
  const backupKeyFile = join(await temporaryDirectory("keys"), "new", "backup.key");
  await expect(openBackupKeys({ backupKeyFile }, { makes: false })).rejects.toMatchObject({
    code: "E006",
  });
  const made = await openBackupKeys({ backupKeyFile }, { makes: true });
  expect((await stat(backupKeyFile)).mode & 0o777).toBe(0o600);
  expect(await openBackupKeys({ backupKeyFile }, { makes: true })).toEqual(made);
  const other = await openBackupKeys(
    { backupKeyFile: `${backupKeyFile}.2`, recipients: made.recipients },
    { makes: true },
  );
  expect(other.recipients).toHaveLength(2);
});

test.each([
  ["no key", {}],
  ["a text that is no public key", { recipients: ["age1nothing"] }],
  ["a file that is no key", { backupKeyFile: import.meta.path }],
])("%s is refused", async (_what, options) => {
  await expect(openBackupKeys(options, { makes: true })).rejects.toMatchObject({ code: "E006" });
});
