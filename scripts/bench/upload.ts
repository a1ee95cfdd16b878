import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { executable } from "../build/executable.ts";
import { mebibytes, type Group, type Row } from "./figures.ts";
import type { BenchPlatform } from "./platform.ts";
import { forgetPeak, peakBytes, residentBytes } from "#test/support/process-use.ts";

const mebibyte = 1024 * 1024;
const sizeMebibytes = 256;
const watchMs = 20;

/** One large file, each time with other bytes, since the same bytes are not stored twice. */
export function upload(directory: string, platform: BenchPlatform): Group {
  return {
    name: `upload of ${sizeMebibytes} MiB`,
    columns: ["rate", "client's peak", "platform's growth"],
    async measure() {
      const { running, token, tenantId, home, env, ids } = platform;
      const copied = await writeText(join(directory, "baseline.txt"), "copy");
      const rows: Row[] = [
        { name: "write and fsync of the file itself", figures: [rate(copied), "", ""] },
      ];
      const send = {
        curl: (file: string) => {
          const headers = [`authorization: Bearer ${token}`, `x-tenant-id: ${tenantId}`];
          const fields = [
            `tenant_id=${tenantId}`,
            "storage_target=resourceapi",
            "processing_mode=store_only",
            `planning_application_id=${ids[0]}`,
            `files=@${file};type=text/plain`,
          ];
          return [
            "curl",
            "-sS",
            "--fail-with-body",
            ...headers.flatMap((header) => ["-H", header]),
            ...fields.flatMap((field) => ["-F", field]),
            `${running.url}/v4/data/documents/upload`,
          ];
        },
        svc: (file: string) => [
          executable,
          "docs",
          "upload",
          file,
          `--planning-application-id=${ids[0]}`,
          "--format=json",
        ],
      };
      for (const [name, command] of Object.entries(send)) {
        if (name === "curl" && Bun.which("curl") === null) continue;
        const file = join(directory, `${name}.txt`);
        await writeText(file, name);
        const before = (await residentBytes(running.pid)) ?? 0;
        await forgetPeak(running.pid);
        const startedAt = performance.now();
        const child = Bun.spawn(command(file), {
          cwd: home,
          env,
          stdio: ["ignore", "pipe", "pipe"],
        });
        // The system's count at the end includes this process's memory, because it forks first.
        let peak = 0;
        const watch = setInterval(() => {
          void peakBytes(child.pid).then((bytes) => (peak = Math.max(peak, bytes ?? 0)));
        }, watchMs);
        const exitCode = await child.exited;
        clearInterval(watch);
        const elapsedMs = performance.now() - startedAt;
        if (exitCode !== 0) {
          throw new Error(`${name}: ${await child.stdout.text()}${await child.stderr.text()}`);
        }
        const grown = ((await peakBytes(running.pid)) ?? 0) - before;
        await rm(file);
        rows.push({
          name: name === "svc" ? "svc docs upload" : "curl",
          figures: [rate(elapsedMs), mebibytes(peak), mebibytes(grown)],
        });
      }
      return rows;
    },
  };
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
