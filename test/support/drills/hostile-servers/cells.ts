import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { callsAt, filledWords } from "#test/commands/trial-calls.ts";
import { userEnvironment } from "#test/support/environment.ts";
import { watchPeak } from "#test/support/process-use.ts";
import { fillProject } from "#test/support/project-folder.ts";
import type { Attack } from "./attacks.ts";
import { openHostileServer, openListener, type HostileServer } from "./server.ts";

const id = "0198f0a0-2222-7000-8000-000000000002";
const limitMs = 60_000;
const memoryLimitBytes = 700 * 1024 * 1024;
const token = "a-token-of-the-drill";
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/;
/** Tones, and the removal of the status line. */
const own = /\x1b\[(?:1|2|22|31|32|33|39)m|\r\x1b\[K/g;

/** A command, with JSON on stdout. */
export interface HostileCommand {
  readonly words: string;
}

/** Every command that talks to a platform; a wait would last for its whole time. */
export const hostileCommands: readonly HostileCommand[] = callsAt("stub").filter(
  ({ words }) => !words.includes("--wait"),
);

export interface CellOutcome {
  readonly requests: number;
  readonly exitCode: number;
  /** Forbidden effects that the command had. */
  readonly faults: readonly string[];
}

/** A command with its own home against one attack. */
export async function runHostileCell(
  command: HostileCommand,
  attack: Attack,
  { executable, directory }: { readonly executable: string; readonly directory: string },
): Promise<CellOutcome> {
  const home = join(directory, crypto.randomUUID());
  await mkdir(home, { recursive: true });
  fillProject(home);
  const elsewhere = openListener();
  const server = openHostileServer(attack, elsewhere.url);
  try {
    const ran = await runCommand(command, { executable, home, server });
    const faults = [...faultsOf(command, attack, ran, server)];
    if (elsewhere.heads.some((head) => head.includes(token))) {
      faults.push("the token went to another server");
    }
    return { requests: server.requests.length, exitCode: ran.exitCode, faults };
  } finally {
    server.close();
    elsewhere.close();
    await rm(home, { recursive: true, force: true });
  }
}

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly peakBytes: number;
  readonly isKilled: boolean;
}

async function runCommand(
  { words }: HostileCommand,
  place: { readonly executable: string; readonly home: string; readonly server: HostileServer },
): Promise<Ran> {
  const { executable, home, server } = place;
  const names = {
    ...Object.fromEntries(
      [
        "id",
        "key",
        "workspace",
        "record",
        "recordPath",
        "application",
        "job",
        "document",
        "member",
      ].map((name) => [name, id]),
    ),
    slug: "tenant",
    unique: "1",
    secret: "secret",
    folder: home,
    workflow: "advice",
  };
  await selectWorkspace({
    configDirectory: join(home, ".svc"),
    profile: "default",
    workspace: { id, slug: "tenant", displayName: "tenant", origin: server.url },
  });
  const env = userEnvironment(home, {
    BASE_URL_PUBLIC_API: server.url,
    SVC_TOKEN: token,
    BROWSER: "none",
  });
  const child = Bun.spawn([executable, ...filledWords(words, names), "--format", "json"], {
    cwd: home,
    env,
    stdin: new Blob(["old password\nnew password 1\n"]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const peakBytes = watchPeak(child.pid);
  let isKilled = false;
  const timer = setTimeout(() => {
    isKilled = true;
    child.kill("SIGKILL");
  }, limitMs);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(timer);
  return { exitCode, stdout, stderr, peakBytes: peakBytes(), isKilled };
}

function* faultsOf(
  { words }: HostileCommand,
  attack: Attack,
  { exitCode, stdout, stderr, peakBytes, isKilled }: Ran,
  { requests }: HostileServer,
): Generator<string> {
  if (isKilled) return yield `has not ended after ${limitMs / 1000} s`;
  // A command that sent no request was only called in a wrong place.
  const isUsage = exitCode === 2 && requests.length === 0;
  if (!isUsage && ![0, 1, 4, 8].includes(exitCode))
    yield `exit code ${exitCode}: ${stderr.slice(0, 300)}`;
  if (/^\s+at .*:\d+/m.test(stderr)) yield `a stack: ${stderr.slice(0, 300)}`;
  if (controls.test(stderr.replaceAll(own, ""))) yield "control characters on stderr";
  if (peakBytes > memoryLimitBytes) yield `${Math.round(peakBytes / 1024 / 1024)} MiB of memory`;
  const isProved =
    attack.proves === "a write" ||
    (attack.proves !== "nothing" && downloads.test(words)) ||
    (attack.proves === "a receipt" && withoutAnswer.test(words)) ||
    reportsOnly.test(words);
  if (exitCode === 0 && requests.length > 0 && !isProved) {
    yield `claims a success: ${stdout.slice(0, 200)}`;
  }
  const sent = requests.filter(({ method, target }) => method !== "GET" && !asks.test(target));
  const lines = sent.map(({ method, target }) => `${method} ${target}`);
  const repeated = lines.find((line, at) => lines.indexOf(line) !== at);
  // A refusal before anything was done may be sent again.
  if (repeated !== undefined && !attack.name.startsWith("429")) yield `sent twice: ${repeated}`;
}

/** Paths of reads that have a body. */
const asks = /\/(?:query|search|aggregate|evaluate|readiness|indexes-plan|plan)(?:[/?]|$)/;
/** Commands that store the bytes of an answer as they come. */
const downloads = / --output /;
/** Commands whose route answers with nothing, or with a receipt of the deployment's choice. */
const withoutAnswer = / (?:delete|remove|revoke) /;
/** Commands that need nothing of the platform, or print what came. */
const reportsOnly = /^publicapi|--skip-validate$/;
