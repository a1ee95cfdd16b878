import { counted } from "#lib/text/counted.ts";
import { failureLine, isAbort } from "../../kit/answers/failure.ts";
import type { CommandWords } from "../../kit/places/action.ts";
import { countWords } from "../../kit/text/words.ts";
import { useCommandLines } from "../use-copy.ts";
import { useOverlays } from "./overlays.ts";

interface EachRequest<Row> {
  readonly title: string;
  /** The singular of the rows, e.g. `alert`. */
  readonly thing: string;
  /** The past participle of the work, e.g. `acknowledged`. */
  readonly done: string;
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** The command that does it to one row. */
  readonly command: (row: Row) => CommandWords;
  readonly run: (row: Row, signal: AbortSignal) => Promise<unknown>;
  /** Follows with the rows that are not done. */
  readonly onEnd: (left: readonly Row[]) => void;
}

/** Rows that a question names, and that its command has. */
const namedRows = 6;
const namedInCommand = 20;

function names(all: readonly string[]): string[] {
  const more = all.length - namedRows;
  return more > 0 ? [...all.slice(0, namedRows), `and ${countWords(more)} more`] : [...all];
}

/**
 * Returns a function that does something to many rows, one after the other; Esc stops it. It asks
 * first where there are several.
 */
export function useEach(): <Row>(request: EachRequest<Row>) => void {
  const overlays = useOverlays();
  const commands = useCommandLines();
  const start = <Row>(request: EachRequest<Row>): void => {
    const { title, thing, done, rows, nameOf, onEnd } = request;
    overlays.work({
      title,
      counted: `${thing}s ${done}`,
      stop: "stops before the next one",
      run: async (report, signal) => {
        const left: (typeof rows)[number][] = [];
        const refused: string[] = [];
        for (const [index, row] of rows.entries()) {
          report({ done: index, total: rows.length });
          if (signal.aborted) {
            left.push(row);
            continue;
          }
          try {
            await request.run(row, signal);
          } catch (error) {
            left.push(row);
            if (!isAbort(error)) refused.push(`${nameOf(row)}: ${failureLine(error)}`);
          }
        }
        onEnd(left);
        const line = `${done} ${counted(rows.length - left.length, thing)}`;
        if (left.length === 0) return { good: true, lines: [line] };
        const isDone = (row: (typeof rows)[number]) => !left.includes(row);
        const good = rows.filter(isDone).map((row) => `✓ ${nameOf(row)}`);
        const stay = `${counted(left.length, thing)} not done, still marked:`;
        return { good: false, lines: [line, stay, ...refused, ...good] };
      },
    });
  };
  return (request) => {
    const { title, rows, nameOf, command } = request;
    if (rows.length < 2) return start(request);
    const lines = rows.slice(0, namedInCommand).map((row) => commands.inWorkspace(...command(row)));
    overlays.confirm({
      title,
      effects: names(rows.map(nameOf)),
      command: rows.length > namedInCommand ? undefined : lines.join(" && "),
      onConfirm: () => start(request),
    });
  };
}
