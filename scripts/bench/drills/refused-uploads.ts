import { join } from "node:path";
import {
  refusedUploads,
  sendRefused,
  uploadClients,
} from "../../../test/support/drills/refusals.ts";
import { DrillSession } from "../../../test/support/drills/session.ts";
import { startPlatformProcess } from "../../../test/support/platform-process.ts";
import { executable } from "../../build/executable.ts";
import type { DrillResult } from "./result.ts";

/** Uploads that are refused before their body is read: the client must read why. */
export async function drillRefusedUploads(
  directory: string,
  rounds: number,
): Promise<DrillResult[]> {
  const dataDir = join(directory, "refusals");
  await using platform = await startPlatformProcess({ executable, dataDir, home: directory });
  const uploads = refusedUploads(await DrillSession.create(platform));
  const results: DrillResult[] = [];
  for (const [client, send] of Object.entries(uploadClients)) {
    for (const size of [100_000, 5_000_000]) {
      const options = { url: platform.url, size, rounds, directory };
      const { read, failures } = await sendRefused(send, uploads, options);
      const name = `refused uploads of ${size.toLocaleString("en")} bytes, ${client}`;
      if (read !== rounds) throw new Error(`${name}: ${JSON.stringify(failures)}`);
      results.push({ name, lost: 0, cells: rounds });
    }
  }
  return results;
}
