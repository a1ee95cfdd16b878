import { lstat, readdir, readFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Environment } from "#cli/environment.ts";
import { demoFolderPrefix } from "#lib/files/abandoned-folders.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";

/** The demo whose dashboard is open: `svc demo -- …` of the same user runs there. */

const fileName = "running.json";
const maximumBytes = 64 * 1024;
const maximumFolders = 100;
/** A demo that was killed refuses at once; one on a busy machine needs its time. */
const answerMs = 10_000;

export interface RunningDemo {
  readonly baseUrl: string;
  readonly token: string;
  readonly configDirectory: string;
}

/** Lets commands of the same user find the demo in this folder, which only that user can read. */
export async function announceDemo(folder: string, demo: RunningDemo): Promise<void> {
  await writeFileAtomically(join(folder, fileName), `${JSON.stringify(demo)}\n`, { mode: 0o600 });
}

/** The variables of a command on a demo. */
export function demoVariables({ baseUrl, token, configDirectory }: RunningDemo) {
  return {
    BASE_URL_PUBLIC_API: baseUrl,
    SVC_TOKEN: token,
    SVC_CONFIG_DIR: configDirectory,
    SVC_PROFILE: undefined,
    SVC_APP_KEY: "planning-portal",
  };
}

/** The user's latest demo that answers. */
export async function findRunningDemo(
  fetch: NonNullable<Environment["fetch"]>,
): Promise<RunningDemo | undefined> {
  const folder = tmpdir();
  const names = await readdir(folder).catch(() => []);
  const demos = await Promise.all(
    names
      .filter((name) => name.startsWith(demoFolderPrefix))
      .slice(0, maximumFolders)
      .map((name) => readDemo(join(folder, name))),
  );
  const latestFirst = demos
    .filter((demo) => demo !== undefined)
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  for (const demo of latestFirst) if (await answers(demo, fetch)) return demo;
  return undefined;
}

/** The demo of a folder. Other users can make folders there too: theirs are ignored. */
async function readDemo(
  folder: string,
): Promise<(RunningDemo & { readonly startedAtMs: number }) | undefined> {
  try {
    const facts = await lstat(folder);
    const isOwn = facts.uid === userInfo().uid && (facts.mode & 0o077) === 0;
    if (!facts.isDirectory() || !isOwn) return undefined;
    const path = join(folder, fileName);
    const { size, mtimeMs } = await lstat(path);
    if (size > maximumBytes) return undefined;
    const members = membersOf(parsedJson(await readFile(path, "utf8")));
    const [baseUrl, token, configDirectory] = ["baseUrl", "token", "configDirectory"].map((name) =>
      filledText(members?.get(name)),
    );
    if (baseUrl === undefined || token === undefined || configDirectory === undefined) {
      return undefined;
    }
    if (!isLoopbackHost(URL.parse(baseUrl)?.hostname ?? "")) return undefined;
    return { baseUrl, token, configDirectory, startedAtMs: mtimeMs };
  } catch {
    // A demo that ends removes its folder.
    return undefined;
  }
}

/** Returns whether the demo still runs: a killed one leaves its folder. */
async function answers(
  { baseUrl }: RunningDemo,
  fetch: NonNullable<Environment["fetch"]>,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(new Request(`${baseUrl}/v4/data/resources/health`, { signal }));
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
