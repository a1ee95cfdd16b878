import { join } from "node:path";
import { createClient, type Client } from "#client/index.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import type { ForeignPlace } from "./counterpart.ts";

/** Platforms on one database, with one key. */
export interface Platforms extends AsyncDisposable {
  /** A client of each platform, signed in as the first user. */
  readonly clients: readonly Client[];
  /** The number of platforms that have ended. */
  exits(): number;
}

/** Starts `svc serve` so many times; a failed start stops the others and is thrown. */
export async function startPlatforms(
  place: ForeignPlace,
  label: string,
  options: { readonly count: number; readonly databaseUrl: string },
): Promise<Platforms> {
  const { executable, directory: home } = place;
  const running: RunningPlatform[] = [];
  let exits = 0;
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((each) => each.stop()));
  };
  try {
    for (let at = 0; at < options.count; at += 1) {
      const dataDir = join(home, `${label}_${at}`);
      const args = [`--database-url=${options.databaseUrl}`];
      const env = { SVC_KEY_FILE: join(home, `${label}.key`) };
      const each = await startPlatformProcess({ executable, dataDir, home, args, env });
      running.push(each);
      void each.exited.then(() => (exits += 1));
    }
    const token = await running[0]?.token();
    if (token === undefined) throw new Error("there is no platform");
    const clients = running.map(({ url }) => createClient({ baseUrl: url, token }));
    return { clients, exits: () => exits, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
