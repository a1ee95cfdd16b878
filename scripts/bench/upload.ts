import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { executable } from "../build/executable.ts";
import { mebibytes, percentile, type Group, type Row } from "./figures.ts";
import type { BenchPlatform } from "./platform.ts";
import {
  forgetPeak,
  peakBytes,
  residentBytes,
  untilIdle,
  watchPeak,
} from "#test/support/process-use.ts";

const mebibyte = 1024 * 1024;
const sizeMebibytes = 256;
const rounds = 10;

interface Sent {
  readonly elapsedMs: number;
  readonly clientPeak: number;
  readonly platformGrowth: number;
}

/** One large file, each time with other bytes, since the same bytes are not stored twice. */
export function upload(directory: string, platform: BenchPlatform): Group {
  return {
    name: `upload of ${sizeMebibytes} MiB, ${rounds} turns`,
    columns: ["rate", "of curl", "client's peak", "platform's growth"],
    async measure() {
      const copied = await writeText(join(directory, "baseline.txt"), "copy");
      const clients = Object.entries(commands(platform)).filter(
        ([name]) => name !== "curl" || Bun.which("curl") !== null,
      );
      const all = new Map<string, Sent[]>(clients.map(([name]) => [name, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const [name, command] of round % 2 === 0 ? clients : clients.toReversed()) {
          const file = join(directory, `${name}.txt`);
          await writeText(file, `${name} ${round}`);
          // The job of the upload before still reads its file.
          await untilIdle(platform.running.pid);
          all.get(name)?.push(await send(platform, command(file)));
          await rm(file);
        }
      }
      const baseline = all.get("curl") ?? [];
      return [
        { name: "write and fsync of the file itself", figures: [rate(copied), "", "", ""] },
        ...[...all].map(([name, sent]): Row => {
          const elapsedMs = median(sent, "elapsedMs");
          return {
            name,
            figures: [
              rate(elapsedMs),
              `${besideTurns(sent, baseline).toFixed(2)} x`,
              mebibytes(median(sent, "clientPeak")),
              mebibytes(median(sent, "platformGrowth")),
            ],
          };
        }),
      ];
    },
  };
}

/** The command lines by which both programs send a file in one request. */
function commands({
  running,
  token,
  tenantId,
  ids,
}: BenchPlatform): Readonly<Record<string, (file: string) => readonly string[]>> {
  const headers = [`authorization: Bearer ${token}`, `x-tenant-id: ${tenantId}`];
  const fields = [
    `tenant_id=${tenantId}`,
    "storage_target=resourceapi",
    "processing_mode=full",
    `planning_application_id=${ids[0]}`,
  ];
  return {
    curl: (file) => [
      "curl",
      "-sS",
      "--fail-with-body",
      ...headers.flatMap((header) => ["-H", header]),
      ...[...fields, `files=@${file};type=text/plain`].flatMap((field) => ["-F", field]),
      `${running.url}/v4/data/documents/upload`,
    ],
    "svc docs upload": (file) => [
      executable,
      "docs",
      "upload",
      file,
      `--planning-application-id=${ids[0]}`,
      "--format=json",
    ],
  };
}

async function send(
  { running, home, env }: BenchPlatform,
  words: readonly string[],
): Promise<Sent> {
  const before = (await residentBytes(running.pid)) ?? 0;
  await forgetPeak(running.pid);
  const startedAt = performance.now();
  const child = Bun.spawn([...words], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  const peak = watchPeak(child.pid);
  const exitCode = await child.exited;
  const elapsedMs = performance.now() - startedAt;
  const clientPeak = peak();
  if (exitCode !== 0) {
    const said = (await child.stdout.text()) + (await child.stderr.text());
    throw new Error(`${words[0]}: ${said}`);
  }
  const platformGrowth = ((await peakBytes(running.pid)) ?? 0) - before;
  return { elapsedMs, clientPeak, platformGrowth };
}

/**
 * The median of the turns' ratios: a disk that gets slower in the middle of the turns slows both
 * uploads of a turn.
 */
function besideTurns(sent: readonly Sent[], baseline: readonly Sent[]): number {
  return percentile(
    sent.map(({ elapsedMs }, turn) => (baseline[turn]?.elapsedMs ?? Number.NaN) / elapsedMs),
    0.5,
  );
}

function median(sent: readonly Sent[], figure: keyof Sent): number {
  return percentile(
    sent.map((one) => one[figure]),
    0.5,
  );
}

/**
 * Writes `sizeMebibytes` of text that begins with `seed`, synced; answers how long it took, in ms.
 */
async function writeText(path: string, seed: string): Promise<number> {
  const line = Buffer.from(`${seed} lorem ipsum dolor sit amet, a line of an ordinary text\n`);
  const block = Buffer.alloc(mebibyte);
  for (let at = 0; at < mebibyte; at += line.length) line.copy(block, at);
  const startedAt = performance.now();
  const file = await open(path, "w");
  for (let index = 0; index < sizeMebibytes; index += 1) await file.writeFile(block);
  await file.sync();
  await file.close();
  return performance.now() - startedAt;
}

function rate(elapsedMs: number): string {
  return `${((sizeMebibytes * 1000) / elapsedMs).toFixed(0)} MiB/s`;
}
