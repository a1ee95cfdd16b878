import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { failureLine, failureOf, failureReason, isAbort } from "../../kit/answers/failure.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import { valueWords } from "../../kit/text/words.ts";
import { doneMark, type WorkOutcome, type WorkProgress } from "../../kit/state/work.ts";
import { useForms } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { useNotices } from "../../shell/notices.ts";
import { isRefusal } from "../list/use-batch-delete.ts";
import { firstLines } from "../list/use-deletion-question.ts";
import type { MarkedRecord } from "../list/use-marks.ts";
import { useRecordClient } from "../use-resources.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import { actionCommand, actionsOf, type RecordAction } from "./record-action.ts";
import { parameterFields } from "./form-fields-of-type.ts";
import { loadCheck } from "./use-record-forms.ts";
import { useRecordPicker } from "./use-record-picker.ts";

/** Requests at the same time: the interface has no route that executes many. */
const concurrent = 8;
/** Records that a command names. */
const namedInCommand = 20;

interface Outcomes {
  /** The records that the action changed. */
  readonly written: Resource[];
  /** Ids of the records for which the action is not confirmed. */
  readonly left: Set<string>;
  readonly refused: string[];
  /** Lines about the records that were not sent or not confirmed. */
  readonly rest: string[];
}

type Execute = (record: MarkedRecord) => Promise<Resource>;

async function executeOne(record: MarkedRecord, execute: Execute, outcomes: Outcomes) {
  try {
    const changed = await execute(record);
    outcomes.left.delete(record.id);
    if (changed.version > record.version) outcomes.written.push(changed);
  } catch (error) {
    if (isAbort(error)) throw error;
    if (isRefusal(error)) {
      outcomes.refused.push(`${record.name}: ${failureReason(failureOf(error))}`);
    } else {
      outcomes.rest.push(`${record.name}: unknown whether it was done; ${failureLine(error)}`);
    }
  }
}

/** Executes an action for all records, some at a time, until one may have failed halfway. */
async function executeAll(
  chosen: readonly MarkedRecord[],
  execute: Execute,
  report: (progress: WorkProgress) => void,
  signal: AbortSignal,
): Promise<Outcomes> {
  const total = chosen.length;
  const left = new Set(chosen.map(({ id }) => id));
  const outcomes: Outcomes = { written: [], left, refused: [], rest: [] };
  for (let at = 0; at < total && outcomes.rest.length === 0; at += concurrent) {
    const batch = chosen.slice(at, at + concurrent);
    await Promise.all(batch.map((record) => executeOne(record, execute, outcomes)));
    report({ done: Math.min(at + concurrent, total), total });
    const unsent = total - at - concurrent;
    if (unsent > 0 && signal.aborted) outcomes.rest.push("stopped");
    if (unsent > 0 && outcomes.rest.length > 0) {
      outcomes.rest.push(`${counted(unsent, "record")} were not sent`);
    }
  }
  return outcomes;
}

function choiceOf(action: RecordAction, choose: () => void): Choice {
  const { name, words, stateChange: note, reason } = action;
  return { id: name, words, note, reason, choose };
}

function outcomeOf(
  words: string,
  chosen: readonly MarkedRecord[],
  outcomes: Outcomes,
): WorkOutcome {
  const { left, refused, rest } = outcomes;
  const done = `${words}: ${counted(chosen.length - left.size, "record")}`;
  if (left.size === 0) return { good: true, lines: [done] };
  const stay = `${counted(left.size, "record")} not done, still marked:`;
  const names = chosen.flatMap(({ id, name }) => (left.has(id) ? [] : [doneMark + name]));
  return { good: false, lines: [done, stay, ...refused, ...rest, ...names] };
}

/** An action, the records that it is for, and its parameters. */
interface MarkedAction {
  readonly action: RecordAction;
  readonly chosen: readonly MarkedRecord[];
  readonly parameters: JsonObject;
}

type OnEnd = (left: ReadonlySet<string>) => void;

/** Asks with the records and the commands, and executes the action for each record. */
function useExecution(type: ObjectType, onEnd: OnEnd): (marked: MarkedAction) => void {
  const overlays = useOverlays();
  const records = useRecordClient(type.slug);
  const { tenantId = "" } = usePlatform();
  const commands = useCommandLines();
  const note = useChangeLog();

  const execute = ({ action, chosen, parameters }: MarkedAction) => {
    if (records === undefined) return;
    const one: Execute = ({ id, version }) =>
      records.execute(id, action.name, parameters, { version });
    overlays.work({
      title: `${action.words}: ${counted(chosen.length, "record")}`,
      counted: "records sent",
      stop: `stops before the next ${concurrent}`,
      run: async (report, signal) => {
        const outcomes = await executeAll(chosen, one, report, signal);
        onEnd(outcomes.left);
        const writes = outcomes.written.map((record) => writeOf(type, record, "changed"));
        note(`${action.words} ${counted(writes.length, "record")}`, writes);
        return outcomeOf(action.words, chosen, outcomes);
      },
    });
  };

  return (marked) => {
    const { action, chosen, parameters } = marked;
    const place = { tenantId, slug: type.slug, action: action.name };
    const lines = chosen.slice(0, namedInCommand).map(({ id, version }) => {
      return commands.inWorkspace(...actionCommand({ ...place, id }, { parameters, version }));
    });
    overlays.confirm({
      title: `${action.words}: ${counted(chosen.length, "record")}`,
      effects: [
        ...firstLines(chosen.map(({ name }) => name)),
        ...Object.entries(parameters).map(([name, value]) => `${name}: ${valueWords(value)}`),
        action.stateChange || `does “${action.name}” to each`,
      ],
      command: chosen.length > namedInCommand ? undefined : lines.join(" && "),
      onConfirm: () => execute(marked),
    });
  };
}

/** Asks for one of the type's actions, and executes it for each marked record. */
export function useMarkedAction(
  type: ObjectType,
  onEnd: OnEnd,
): (chosen: readonly MarkedRecord[]) => void {
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const forms = useForms();
  const role = useRole();
  const pickRecord = useRecordPicker();
  const ask = useExecution(type, onEnd);

  const start = async (action: RecordAction, chosen: readonly MarkedRecord[]) => {
    const fields = parameterFields(action.parameters);
    if (fields.length === 0) return ask({ action, chosen, parameters: {} });
    const check = await loadCheck({ properties: action.parameters }, true);
    forms.open({
      title: `${action.words}: ${counted(chosen.length, "record")}`,
      subject: { fields, data: initialData(fields), check },
      pickRecord,
      savesUnchanged: true,
      save: (parameters) => {
        ask({ action, chosen, parameters });
        return Promise.resolve(undefined);
      },
    });
  };

  return (chosen) => {
    const actions = actionsOf(type, undefined, role);
    if (actions.length === 0) return say("note", `${type.slug} has no actions`);
    overlays.choose({
      title: `Choose an action for ${counted(chosen.length, "marked record")}`,
      placeholder: "an action",
      choices: actions.map((action) =>
        choiceOf(action, () => void start(action, chosen).catch(sayFailure)),
      ),
    });
  };
}
