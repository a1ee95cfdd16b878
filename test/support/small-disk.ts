import { join } from "node:path";
import { createTestPlatform, type TestPlatform } from "./platform.ts";
import { temporaryDirectory } from "./temporary.ts";
import { mountTmpfs } from "./tmpfs.ts";

/** Runs `work` with a platform whose files, but not its database, lie on a disk of this size. */
export async function onSmallDisk(
  sizeBytes: number,
  work: (the: TestPlatform) => Promise<void>,
): Promise<void> {
  const dataDirectory = await temporaryDirectory("small-disk");
  await using _mounted = await mountTmpfs(dataDirectory, sizeBytes);
  const path = join(await temporaryDirectory("small-disk-database"), "svc.db");
  const the = await createTestPlatform({
    database: { engine: "sqlite", url: `sqlite:${path}`, path, drop: async () => {} },
    options: { dataDirectory },
  });
  try {
    await work(the);
  } finally {
    await the.close();
  }
}
