import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openWhole } from "#test/support/databases.ts";

const child = new URL("durability-child.ts", import.meta.url).pathname;

interface Row {
  readonly n: number;
  readonly twice: number;
}

/** The child has created the table. */
const migrations = [{ name: "0001-rows", up: () => Promise.resolve() }];

/** Kills the writer (-9) once it has acknowledged `count` rows; returns the acknowledged ones. */
async function writeUntilKilled(url: string, start: number, count: number): Promise<number[]> {
  const program = [process.execPath, child, url, String(start), String(start + 100_000)];
  const writer = Bun.spawn(program, { stdout: "pipe", stderr: "pipe", stdin: "ignore" });
  const errors = new Response(writer.stderr).text();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of writer.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split("\n").length > count) writer.kill("SIGKILL");
  }
  await writer.exited;
  // A line that the kill cut off does not count.
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean);
  if (lines.length < count) throw new Error(`the writer ended early: ${await errors}`);
  return lines.map(Number);
}

describe("a killed writer", () => {
  test("loses no acknowledged row, and leaves no partial unit", async () => {
    const directory = await temporaryDirectory("durability");
    const url = `sqlite:${join(directory, "svc.db")}`;
    let acknowledged: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const start = round * 1_000_000;
      acknowledged = [...acknowledged, ...(await writeUntilKilled(url, start, 200))];
      // The system has released the lock of the dead process.
      const database = await openWhole({ url, migrations });
      const rows = await database.read.all<Row>(statement`select n, twice from rows`);
      const kept = new Set(rows.map((row) => row.n));
      expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
      expect(rows.filter((row) => row.twice !== 2 * row.n)).toEqual([]);
      expect(await database.read.all(statement`pragma integrity_check`)).toEqual([
        { integrity_check: "ok" },
      ]);
      await database.close();
    }
  });
});

const missingStrace = Bun.which("strace") === null ? "needs strace" : undefined;

describeNeeding("an acknowledgement", missingStrace, () => {
  test("comes only after the write-ahead log was synced", async () => {
    const directory = await temporaryDirectory("durability");
    const trace = join(directory, "trace");
    const calls = "trace=fdatasync,fsync,write,pwrite64";
    const url = `sqlite:${join(directory, "svc.db")}`;
    const writer = Bun.spawn(
      // One writer at a time: with several, the next commit may come between a sync and its answer.
      ["strace", "-fye", calls, "-o", trace, process.execPath, child, url, "0", "20", "1"],
      { stdout: "pipe", stderr: "pipe", stdin: "ignore" },
    );
    const lines = (await new Response(writer.stdout).text()).trim().split("\n");
    expect(lines).toHaveLength(20);

    let isSynced = false;
    let acknowledgements = 0;
    const early: string[] = [];
    for (const line of (await readFile(trace, "utf8")).split("\n")) {
      if (/pwrite64\(\d+<[^>]*svc\.db-wal>/.test(line)) isSynced = false;
      else if (/f(data)?sync\(\d+<[^>]*svc\.db-wal>\)\s+= 0/.test(line)) isSynced = true;
      // Another thread syncs the log, so that its lines may be cut in two.
      else if (/<\.\.\. fdatasync resumed>\)\s+= 0/.test(line)) isSynced = true;
      else if (/write\(1<[^>]*>, "\d+\\n"/.test(line)) {
        acknowledgements += 1;
        if (!isSynced) early.push(line);
      }
    }
    expect(acknowledgements).toBe(20);
    expect(early).toEqual([]);
  });
});
