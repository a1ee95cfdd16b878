import { Database } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startPlatformProcess } from "./platform-process.ts";

const limitMs = 240_000;
const pollMs = 50;

/** Makes a data directory with the sample data, whose jobs have all ended. */
export async function storeSampleData(executable: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const options = { executable, dataDir, home: dataDir, args: ["--demo"] };
  await using platform = await startPlatformProcess(options);
  using database = new Database(join(dataDir, "svc.db"), { readonly: true });
  const open = database.query("select 1 from jobs where state in ('queued', 'running')");
  const endsAt = performance.now() + limitMs;
  while (open.get() !== null) {
    if (performance.now() > endsAt) throw new Error("a job of the sample data did not end");
    await Bun.sleep(pollMs);
  }
  await platform.stop();
}
