import { counted } from "#lib/text/counted.ts";
import { doneMark, type WorkOutcome } from "../../kit/state/work.ts";
import { clipText } from "../../kit/text/text-layout.ts";
import type { WriteCommand } from "../../shell/use-copy.ts";
import { differenceWords } from "../detail/record-history.ts";
import type { Change, RecordWrite } from "./change-log.ts";
import type { UndoOutcome, UndoStep } from "./undo.ts";

const longestName = 40;
/** Records that a command names. */
const namedRecords = 20;

function nameOf({ name }: RecordWrite): string {
  return clipText(name, longestName);
}

/** The effect of the undo of one write, or the reason why there is none. */
export function stepWords(step: UndoStep): string {
  const { write } = step;
  const name = nameOf(write);
  switch (step.state) {
    case "changed":
      return `${name} stays: it is version ${step.version} since: ${differenceWords(step.differences)}`;
    case "gone":
      return `${name} stays deleted`;
    case "done":
      return `${name} is as before already`;
    case "ready":
      if (write.kind === "made") return `deletes ${write.objectType} ${name}`;
      if (write.kind === "deleted") return `brings ${write.objectType} ${name} back`;
      return `${name}: ${differenceWords(step.differences)}`;
  }
}

/** The commands with the same effect; `undefined` for too many records. */
export function undoCommand(
  writes: readonly RecordWrite[],
  write: WriteCommand,
): string | undefined {
  if (writes.length > namedRecords) return undefined;
  return writes
    .toReversed()
    .map((each) => {
      const { objectType, id } = each;
      if (each.kind === "made")
        return write(["resources", "delete", objectType, id], { force: true });
      const options = each.kind === "changed" ? { version: each.version - 1 } : {};
      return write(["resources", "restore", objectType, id], options);
    })
    .join(" && ");
}

/** The outcome, record by record unless all were undone. */
export function undoneWords({ words }: Change, outcome: UndoOutcome): WorkOutcome {
  const { done, changed, refused } = outcome;
  const undone = `undid “${words}”`;
  if (changed.length + refused.length === 0) return { good: true, lines: [undone] };
  return {
    good: false,
    lines: [
      done.length === 0
        ? `“${words}” was not undone:`
        : `${undone} for ${counted(done.length, "record")}:`,
      ...changed.map((step) => `✗ ${stepWords(step)}`),
      ...refused.map(({ write, words: why }) => `✗ ${nameOf(write)}: ${why}`),
      ...done.map((write) => doneMark + nameOf(write)),
    ],
  };
}
