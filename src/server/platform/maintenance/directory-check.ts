import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { Tally, type Finding } from "../../domains/storage/finding.ts";
import { namesIn } from "../../files/folders.ts";
import { backupNames } from "../backup/manifest.ts";
import { databaseFilename } from "../storage-location.ts";

const writableByAll = 0o002;
const maximumWorkspaces = 10_000;
const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Directories and files of the data directory that every user of the machine may write to. */
export async function checkModes(
  dataDirectory: string,
  fix: boolean,
): Promise<{ readonly findings: Finding[]; readonly isFixed: boolean }> {
  const blobs = join(dataDirectory, backupNames.blobs);
  const folders = (await namesIn(blobs)).slice(0, maximumWorkspaces);
  const paths = [
    dataDirectory,
    join(dataDirectory, databaseFilename),
    blobs,
    ...folders.map((name) => join(blobs, name)),
  ];
  const writable = new Tally();
  let isFixed = fix;
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || (facts.mode & writableByAll) === 0) continue;
    writable.add(path);
    if (!fix) continue;
    await chmod(path, facts.mode & 0o770).catch(() => {
      isFixed = false;
    });
  }
  const findings = writable.finding({
    code: "directory-writable",
    backend: "blob",
    severity: "error",
    detail: "Every user of this machine may write to the data directory",
    mend: "Run `svc serve doctor --fix`, or remove the right with chmod o-rwx",
    fixable: true,
  });
  return { findings, isFixed };
}

/** Folders of files whose workspace the database does not have. */
export async function checkFolders(
  dataDirectory: string,
  known: ReadonlySet<string>,
): Promise<Finding[]> {
  const orphaned = new Tally();
  const folder = join(dataDirectory, backupNames.blobs);
  for (const name of await namesIn(folder)) {
    if (uuidPattern.test(name) && !known.has(name)) orphaned.add(join(folder, name));
  }
  return orphaned.finding({
    code: "blob-orphaned",
    backend: "blob",
    severity: "warning",
    detail: "The file store has files of workspaces that the database does not have",
    mend: "If the database is the right one, remove these folders; otherwise restore a backup",
    fixable: false,
  });
}
