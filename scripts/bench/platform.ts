import { join } from "node:path";
import { createClient, type Client } from "#client/index.ts";
import { startPlatformProcess, type RunningPlatform } from "../../test/support/platform-process.ts";
import { userEnvironment } from "../../test/support/environment.ts";
import { executable as builtExecutable } from "../build/executable.ts";

/** Records that are there before anything is measured. */
export const recordCount = 5_000;
const atOnce = 64;

/** A platform with a workspace, an Object Type and its records, and a user who is signed in. */
export interface BenchPlatform {
  readonly running: RunningPlatform;
  readonly client: Client;
  readonly token: string;
  readonly tenantId: string;
  /** Home of a user who has this workspace selected, and the environment that signs in. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly objectType: string;
  /** The address of its records. */
  readonly records: URL;
  readonly ids: readonly string[];
}

/** One record's data, as large as a small real one. */
export function recordData(index: number): Record<string, string | number> {
  return {
    reference: `B-${String(index).padStart(8, "0")}`,
    address: `${index % 400} Quay Street, Northwind`,
    status: ["open", "decided", "withdrawn"][index % 3] ?? "open",
    area: (index * 7919) % 100_000,
  };
}

/** Starts `svc serve` on an empty directory and fills it. Stop `running` when done. */
export async function preparePlatform(
  directory: string,
  args: readonly string[] = [],
  executable: string = builtExecutable,
): Promise<BenchPlatform> {
  const running = await startPlatformProcess({
    executable,
    dataDir: join(directory, "data"),
    home: directory,
    args,
  });
  try {
    // A bench may run for hours.
    const token = await running.token(undefined, "1d");
    const anywhere = createClient({ baseUrl: running.url, token });
    const { id: tenantId } = await anywhere.workspaces.createRoot({
      body: { displayName: "Bench", slug: "bench", homeRegion: "eu" },
    });
    const client = anywhere.forTenant(tenantId);
    const { slug: objectType } = await client.objectTypes.create({
      body: {
        name: "PlanningApplication",
        slug: "planning-application",
        properties: {
          reference: { type: "string", required: true, indexed: true },
          address: { type: "string" },
          status: { type: "enum", enum: ["open", "decided", "withdrawn"], indexed: true },
          area: { type: "integer" },
        },
      },
    });
    const resources = client.useResources(objectType);
    const ids: string[] = [];
    for (let first = 0; first < recordCount; first += atOnce) {
      const count = Math.min(atOnce, recordCount - first);
      const created = await Promise.all(
        Array.from({ length: count }, (_, offset) => resources.create(recordData(first + offset))),
      );
      ids.push(...created.map(({ id }) => id));
    }
    const env = userEnvironment(directory, {
      SVC_TOKEN: token,
      BASE_URL_PUBLIC_API: running.url,
    });
    const select = Bun.spawnSync([executable, "workspace", "select", tenantId], {
      cwd: directory,
      env,
    });
    if (select.exitCode !== 0) throw new Error(`no workspace: ${select.stderr.toString()}`);
    const records = new URL(`/v4/data/resources/${tenantId}/${objectType}`, running.url);
    return { running, client, token, tenantId, home: directory, env, objectType, records, ids };
  } catch (error) {
    await running.kill();
    throw error;
  }
}
