import { counted } from "#lib/text/counted.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { usePart } from "../../kit/state/part.ts";
import { useStore } from "../../kit/state/store.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { firstLines } from "../list/use-deletion-question.ts";
import type { RecordFacts, RecordKeys } from "../keys.ts";
import { changeLogPart, type Change } from "./change-log.ts";
import { undoAll, undoStep, type UndoStep } from "./undo.ts";
import { stepWords, undoCommand, undoneWords } from "./undo-words.ts";

/** Records that a question compares with their state now; more are compared one by one later. */
const previewedRecords = 20;

/** Returns a function that undoes a change without a question, and shows the outcome. */
function useStart(): (change: Change) => void {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const overlays = useOverlays();
  const log = usePart(changeLogPart);
  return (change: Change) => {
    if (client === undefined) return;
    const { words, writes } = change;
    overlays.work({
      title: `Undo “${words}”`,
      counted: "records undone",
      stop: "stops before the next record",
      run: async (report, signal) => {
        const total = writes.length;
        report({ done: 0, total });
        const scope = { client, tenantId, signal };
        const outcome = await undoAll(scope, writes, (done) => report({ done, total }));
        log.keep(change, outcome.refused.map(({ write }) => write).toReversed());
        refresh();
        return undoneWords(change, outcome);
      },
    });
  };
}

/** Returns a function that undoes the last change, after a question that shows what it does. */
function useUndo(): (change: Change) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  const commands = useCommandLines();
  const log = usePart(changeLogPart);
  const start = useStart();

  /** Shows what was changed since; the undo after it is that of the change before. */
  const showChanged = (change: Change, steps: readonly UndoStep[]) => {
    const lines = [`“${change.words}” stays, since it was changed again:`, ...steps.map(stepWords)];
    log.keep(change, []);
    overlays.work({
      title: `Undo “${change.words}”`,
      counted: "records",
      stop: "stops",
      run: () => Promise.resolve({ good: false, lines }),
    });
  };

  const ask = (change: Change, steps: readonly UndoStep[]) => {
    if (steps.length > 0 && steps.every(({ state }) => state !== "ready")) {
      return showChanged(change, steps);
    }
    const { words, writes } = change;
    const ready = steps.length === 0 ? writes : steps.filter(isReady).map(({ write }) => write);
    const lines = steps.length === 0 ? writes.map(({ name }) => name) : steps.map(stepWords);
    overlays.confirm({
      title: `Undo “${words}”: ${counted(ready.length, "record")}`,
      effects: [
        ...firstLines(lines),
        ...(steps.length === 0 ? ["a record that was changed since stays as it is"] : []),
        "each record gets a further version, and its history keeps all of them",
      ],
      command: undoCommand(ready, commands.inWorkspace),
      onConfirm: () => start(change),
    });
  };

  return (change) => {
    if (client === undefined) return;
    if (change.writes.length > previewedRecords) return ask(change, []);
    overlays.wait({
      title: `Undo “${change.words}”`,
      words: "comparing with the records as they are now",
      ask: async (signal) => {
        const scope = { client, tenantId, signal };
        const steps = await Promise.all(change.writes.map((write) => undoStep(scope, write)));
        return () => ask(change, steps);
      },
    });
  };
}

function isReady({ state }: UndoStep): boolean {
  return state === "ready";
}

/** The key that undoes the last change, in every place. */
export function UndoKeys() {
  const change = useStore(usePart(changeLogPart).last);
  const undo = useUndo();
  useKeys<RecordKeys, RecordFacts>(
    "global",
    { undo: () => change !== undefined && undo(change) },
    { facts: { undoable: change?.words ?? "" } },
  );
  return null;
}
