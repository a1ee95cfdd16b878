import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEveryFile } from "./cleanup.ts";

const created: string[] = [];

/**
 * A new empty directory, removed with all that is in it after the test file's last test.
 * `name` only helps a reader of a listing to see whose it is.
 */
export function temporaryDirectory(name = "test"): Promise<string> {
  // A wait for the thread pool takes ten times as long as the directory itself.
  const directory = mkdtempSync(join(tmpdir(), `svc-${name}-`));
  created.push(directory);
  return Promise.resolve(directory);
}

// A failed or timed-out test also removes its files.
afterEveryFile(async () => {
  await Promise.all(
    created.splice(0).map((directory) => rm(directory, { recursive: true, force: true })),
  );
});
