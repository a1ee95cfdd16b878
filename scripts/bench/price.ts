import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { usedMicroseconds } from "#test/support/process-use.ts";
import { executable } from "../build/executable.ts";
import { microseconds, percentile, type Group, type Row } from "./figures.ts";
import { load, type WireRequest } from "./load.ts";
import { preparePlatform, recordCount, type BenchPlatform } from "./platform.ts";
import { batchCreation, creation, getById, reading } from "./requests.ts";

const connections = 16;

interface Kind {
  readonly name: string;
  /** The requests of one window. */
  readonly count: number;
  readonly request: (platform: BenchPlatform, index: number) => WireRequest;
}

const kinds: readonly Kind[] = [
  {
    name: "get by id",
    count: 20_000,
    request: getById,
  },
  {
    name: "list of 20",
    count: 5_000,
    request: ({ records, token }) => reading(token, new URL(`${records.href}?limit=20`)),
  },
  {
    name: "durable create",
    count: 5_000,
    request: creation,
  },
  {
    name: "batch of 500",
    count: 100,
    request: batchCreation,
  },
];

/**
 * Processor time of the server for each request, of this build and of others, window by window in
 * turns, with one thread each. The figures are medians; the spread is the middle half of the
 * windows.
 */
export function price(
  directory: string,
  { others, rounds }: { readonly others: readonly string[]; readonly rounds: number },
): Group {
  return {
    name: `processor time of the server for each request, ${rounds} windows in turns`,
    columns: ["median", "spread", "of the first"],
    async measure() {
      const programs = [...others.map((path) => resolve(path)), executable];
      const sides: Side[] = [];
      try {
        for (const program of programs) {
          const place = join(directory, `price-${sides.length}`);
          await mkdir(place);
          sides.push(new Side(program, await preparePlatform(place, ["--threads=1"], program)));
        }
        const rows: Row[] = [];
        for (const kind of kinds) rows.push(...(await inTurns(kind, sides, rounds)));
        return rows;
      } finally {
        for (const { platform } of sides) await platform.running.stop();
      }
    },
  };
}

class Side {
  created = recordCount;

  constructor(
    readonly program: string,
    readonly platform: BenchPlatform,
  ) {}

  /** Microseconds of processor time for each request of one window. */
  async window({ count, request }: Kind): Promise<number> {
    const { pid, url } = this.platform.running;
    const before = await usedMicroseconds(pid);
    await load(new URL(url), {
      connections,
      count,
      request: () => request(this.platform, (this.created += 1)),
    });
    return ((await usedMicroseconds(pid)) - before) / count;
  }
}

async function inTurns(kind: Kind, sides: readonly Side[], rounds: number): Promise<Row[]> {
  const windows = sides.map((): number[] => []);
  // The first window compiles what the others run.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, side] of sides.entries()) {
      const used = await side.window(kind);
      if (round > 0) windows[at]?.push(used);
    }
  }
  const first = percentile(windows[0] ?? [], 0.5);
  return sides.map(({ program }, at) => {
    const used = windows[at] ?? [];
    const median = percentile(used, 0.5);
    const [low = "", high = ""] = [0.25, 0.75].map((share) =>
      microseconds(percentile(used, share)),
    );
    return {
      name: `${kind.name}, ${basename(program)}`,
      figures: [microseconds(median), `${low} to ${high}`, `${(median / first).toFixed(2)} x`],
    };
  });
}
