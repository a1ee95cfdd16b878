import { milliseconds, percentile, type Group, type Row } from "../figures.ts";
import { start, type MeasuredProgram } from "./programs.ts";

const startCount = 20;

/** Times from the start of a program until it has written a sequence, in the order of the parts. */
interface FrameTimes {
  /** The question for the background: the runtime and the first modules are loaded. */
  readonly question: number;
  /** The modes of the dashboard: all of its modules are loaded. */
  readonly modes: number;
  /** The other screen: the wait for the terminal's answer is over. */
  readonly screen: number;
  readonly frame: number;
}

const sequences = { question: "\x1b]11;?", modes: "\x1b[?1004h", screen: "\x1b[?1049h" } as const;

/** The time from the start until the first frame is complete, and until what comes before it. */
export async function timeFrame(
  program: MeasuredProgram,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): Promise<FrameTimes> {
  const startedAt = performance.now();
  const times = { question: Number.NaN, modes: Number.NaN, screen: Number.NaN };
  const names = ["question", "modes", "screen"] as const;
  await using terminal = start(program, { isSilent });
  await terminal.waitFor((text) => {
    const written = terminal.raw();
    for (const name of names) {
      if (!Number.isNaN(times[name]) || !written.includes(sequences[name])) continue;
      times[name] = performance.now() - startedAt;
    }
    return program.isFrame(text);
  });
  return { ...times, frame: performance.now() - startedAt };
}

/** The parts of the first frame of programs that draw with Ink, as their bytes show them. */
export function firstFrame(programs: () => Promise<readonly MeasuredProgram[]>): Group {
  return {
    name: `first frame, ${startCount} starts, p50`,
    columns: ["until the question", "rest of the load", "wait", "mount and draw", "all"],
    async measure() {
      const rows: Row[] = [];
      for (const program of await programs()) {
        const samples: FrameTimes[] = [];
        for (let round = 0; round < startCount; round += 1) samples.push(await timeFrame(program));
        rows.push({ name: program.name, figures: partsOf(samples) });
      }
      return rows;
    },
  };
}

/** A program that asks nothing has two parts: its load and the rest. */
function partsOf(samples: readonly FrameTimes[]): readonly string[] {
  const part = (length: (times: FrameTimes) => number): string =>
    milliseconds(percentile(samples.map(length), 0.5));
  const draw = part(({ frame, screen }) => frame - screen);
  const all = part(({ frame }) => frame);
  if (samples.some(({ question }) => Number.isNaN(question))) {
    return ["", part(({ screen }) => screen), "", draw, all];
  }
  return [
    part(({ question }) => question),
    part(({ modes, question }) => modes - question),
    part(({ screen, modes }) => screen - modes),
    draw,
    all,
  ];
}
