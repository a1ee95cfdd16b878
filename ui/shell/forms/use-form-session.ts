import { useMemo, useRef, useState } from "react";
import type { JsonObject } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { failureHead, failureOf } from "../../kit/answers/failure.ts";
import {
  formData,
  formFaults,
  placeFaults,
  showFaults,
  type FormState,
  type FormSubject,
  type PlacedFaults,
} from "../../kit/forms/form-model.ts";
import {
  afterRefusal,
  compare,
  hasNothingToSave,
  openSession,
  refusalOf,
  toSave,
  type FormSession,
  type SaveOutcome,
} from "../../kit/forms/form-session.ts";
import type { FormRequest, FormTarget } from "./use-forms.tsx";
import { useNotices } from "../use-notices.tsx";

export interface LiveForm {
  readonly session: FormSession;
  readonly faults: PlacedFaults;
  readonly saving: boolean;
  /** What went wrong with no field in particular, line by line. */
  readonly problem: readonly string[];
  /** The command that does the same as saving. */
  command(): string;
  change(next: (now: FormSession) => FormSession): void;
  changeForm(next: (now: FormState) => FormState): void;
  save(): void;
}

function problemLines(error: unknown): string[] {
  const failure = failureOf(error);
  return [failureHead(failure), ...failure.details];
}

/** What was saved where, and did not work. */
interface FailedSave {
  readonly target: FormTarget & Pick<FormRequest, "anew">;
  readonly subject: FormSubject;
  readonly data: JsonObject;
}

/** What a failed save says to the form; asks what was changed meanwhile, where that is why. */
export async function outcomeOf(save: FailedSave, error: unknown): Promise<SaveOutcome> {
  const { target } = save;
  const { isConflict, isGone, faults } = refusalOf(error);
  if (isGone && target.anew !== undefined) return { isGone, faults, problem: [] };
  if (!isConflict || target.current === undefined) {
    const subject = faults.length === 0 ? undefined : await renewedSubject(save);
    const placed = placeFaults((subject ?? save.subject).fields, faults);
    // What stands at its field needs no second place.
    const problem = placed.fields.size > 0 ? placed.others : problemLines(error);
    return { faults, problem, subject };
  }
  try {
    return { theirs: await target.current(), faults: [], problem: [] };
  } catch (other) {
    if (refusalOf(other).isGone && target.anew !== undefined) {
      return { isGone: true, faults: [], problem: [] };
    }
    return { faults: [], problem: problemLines(other) };
  }
}

async function renewedSubject({ target, data }: FailedSave): Promise<FormSubject | undefined> {
  try {
    return await target.renewed?.(data);
  } catch {
    // The refusal is told all the same, and the next save asks again.
    return undefined;
  }
}

/** A form that is filled in, saved, and opened again where the platform does not take it. */
export function useFormSession(request: FormRequest, onClose: () => void): LiveForm {
  const { subject, version, start } = request;
  const { say } = useNotices();
  const [session, setSession] = useState(() => openSession(subject, { version, start }));
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState(start?.outcome.problem ?? []);
  const lastSave = useRef({ json: "", idempotencyKey: "" });
  const { form } = session;
  const target = session.isGone ? (request.anew ?? request) : request;
  const faults = useMemo(() => formFaults(form), [form]);

  const send = async (wanted: Extract<ReturnType<typeof toSave>, { data: unknown }>) => {
    const json = JSON.stringify(wanted);
    if (lastSave.current.json !== json) {
      lastSave.current = { json, idempotencyKey: crypto.randomUUID() };
    }
    const { idempotencyKey } = lastSave.current;
    try {
      const words = await target.save(wanted.data, { version: wanted.version, idempotencyKey });
      say("done", words);
      onClose();
    } catch (error) {
      const { data } = wanted;
      const outcome = await outcomeOf({ target, subject: form.subject, data }, error);
      setProblem(outcome.problem);
      setSession((now) => afterRefusal(now, outcome));
    } finally {
      setSaving(false);
    }
  };
  return {
    session,
    faults,
    saving,
    problem,
    command: () => {
      const wanted = toSave(session);
      const { data, version } =
        "data" in wanted ? wanted : { data: formData(form), version: session.version };
      return target.command(data, version);
    },
    change: setSession,
    changeForm: (next) => setSession((now) => ({ ...now, form: next(now.form) })),
    save: () => {
      if (saving) return;
      if (faults.fields.size > 0) {
        setSession((now) => ({ ...now, comparing: false, form: showFaults(now.form, faults) }));
        return;
      }
      if (hasNothingToSave(session)) {
        say("note", "nothing was changed");
        onClose();
        return;
      }
      const wanted = toSave(session);
      if ("undecided" in wanted) {
        say("note", `${counted(wanted.undecided, "field")} changed by both: take mine or theirs`);
        setSession(compare);
        return;
      }
      setProblem([]);
      setSaving(true);
      void send(wanted);
    },
  };
}
