import type { JsonObject, ObjectType } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { failureLine, failureOf, failureReason, isAbort } from "../../kit/answers/failure.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { initialData } from "../../kit/forms/form-model.ts";
import type { WorkOutcome, WorkProgress } from "../../kit/state/work.ts";
import { useForms } from "../../shell/forms/forms.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { useNotices } from "../../shell/notices.ts";
import { isRefusal } from "../list/use-batch-delete.ts";
import { firstLines } from "../list/use-deletion-question.ts";
import type { MarkedRecord } from "../list/use-marks.ts";
import { useRecordClient } from "../use-resources.ts";
import { actionsOf, type RecordAction } from "./record-action.ts";
import { parameterFields } from "./form-fields-of-type.ts";
import { loadCheck } from "./use-record-forms.ts";
import { useRecordPicker } from "./use-record-picker.ts";

/** Requests at the same time: the interface has no route that executes many. */
const concurrent = 8;

interface Outcomes {
  /** Ids of the records for which the action is not confirmed. */
  readonly left: Set<string>;
  readonly refused: string[];
  /** Lines about the records that were not sent or not confirmed. */
  readonly rest: string[];
}

type Execute = (record: MarkedRecord) => Promise<unknown>;

async function executeOne(record: MarkedRecord, execute: Execute, outcomes: Outcomes) {
  try {
    await execute(record);
    outcomes.left.delete(record.id);
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
  const outcomes: Outcomes = { left, refused: [], rest: [] };
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

function outcomeOf(words: string, total: number, outcomes: Outcomes): WorkOutcome {
  const { left, refused, rest } = outcomes;
  const done = `${words}: ${counted(total - left.size, "record")}`;
  if (left.size === 0) return { good: true, lines: [done] };
  const stay = `${counted(left.size, "record")} not done, still marked:`;
  return { good: false, lines: [done, stay, ...refused, ...rest] };
}

/** Asks for one of the type's actions, and executes it for each marked record. */
export function useMarkedAction(
  type: ObjectType,
  onEnd: (left: ReadonlySet<string>) => void,
): (chosen: readonly MarkedRecord[]) => void {
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();
  const forms = useForms();
  const role = useRole();
  const records = useRecordClient(type.slug);
  const pickRecord = useRecordPicker();

  const execute = (
    action: RecordAction,
    chosen: readonly MarkedRecord[],
    parameters: JsonObject,
  ) => {
    if (records === undefined) return;
    const total = chosen.length;
    const one: Execute = ({ id, version }) =>
      records.execute(id, action.name, parameters, { version });
    overlays.work({
      title: `${action.words}: ${counted(total, "record")}`,
      counted: "records sent",
      stop: `stops before the next ${concurrent}`,
      run: async (report, signal) => {
        const outcomes = await executeAll(chosen, one, report, signal);
        onEnd(outcomes.left);
        return outcomeOf(action.words, total, outcomes);
      },
    });
  };

  const start = async (action: RecordAction, chosen: readonly MarkedRecord[]) => {
    const title = `${action.words}: ${counted(chosen.length, "record")}`;
    const fields = parameterFields(action.parameters);
    if (fields.length === 0) {
      overlays.confirm({
        title,
        effects: [
          ...firstLines(chosen.map(({ name }) => name)),
          action.stateChange || `does “${action.name}” to each`,
        ],
        onConfirm: () => execute(action, chosen, {}),
      });
      return;
    }
    const check = await loadCheck({ properties: action.parameters }, true);
    forms.open({
      title,
      subject: { fields, data: initialData(fields), check },
      pickRecord,
      save: (data) => {
        execute(action, chosen, data);
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
