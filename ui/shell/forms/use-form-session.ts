import { useMemo, useRef, useState } from "react";
import type { JsonObject } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
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
import type { FormRequest, FormTarget } from "./forms.ts";
import { useNotices } from "../notices.ts";

export interface LiveForm {
  readonly session: FormSession;
  readonly faults: PlacedFaults;
  readonly saving: boolean;
  /** Problems of no single field, line by line. */
  readonly problem: readonly string[];
  command(): string | undefined;
  change(next: (now: FormSession) => FormSession): void;
  changeForm(next: (now: FormState) => FormState): void;
  save(): void;
}

function problemLines(error: unknown): string[] {
  const failure = failureOf(error);
  return [failureHead(failure), ...failure.details];
}

interface FailedSave {
  readonly target: FormTarget & Pick<FormRequest, "recreate">;
  readonly subject: FormSubject;
  readonly data: JsonObject;
}

/**
 * The outcome of a failed save, with the current record or type where a change of it is the reason.
 */
export async function outcomeOf(save: FailedSave, error: unknown): Promise<SaveOutcome> {
  const { target } = save;
  const { isConflict, isGone, faults } = refusalOf(error);
  if (isGone && target.recreate !== undefined) return { isGone, faults, problem: [] };
  if (!isConflict || target.current === undefined) {
    const subject = faults.length === 0 ? undefined : await renewedSubject(save);
    const placed = placeFaults((subject ?? save.subject).fields, faults);
    // Faults that are shown at their fields are not listed again.
    const problem = placed.fields.size > 0 ? placed.others : problemLines(error);
    return { faults, problem, subject };
  }
  try {
    return { theirs: await target.current(), faults: [], problem: [] };
  } catch (other) {
    if (refusalOf(other).isGone && target.recreate !== undefined) {
      return { isGone: true, faults: [], problem: [] };
    }
    return { faults: [], problem: problemLines(other) };
  }
}

async function renewedSubject({ target, data }: FailedSave): Promise<FormSubject | undefined> {
  try {
    return await target.renewed?.(data);
  } catch {
    // The failure of the save is shown anyway, and the next save reads the type again.
    return undefined;
  }
}

export function useFormSession(request: FormRequest, onClose: () => void): LiveForm {
  const { subject, version, start } = request;
  const { say } = useNotices();
  const [session, setSession] = useState(() => openSession(subject, { version, start }));
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState(start?.outcome.problem ?? []);
  const lastSave = useRef({ json: "", idempotencyKey: "" });
  const { form } = session;
  const target = session.isGone ? (request.recreate ?? request) : request;
  const faults = useMemo(() => formFaults(form), [form]);

  const send = async (saved: Extract<ReturnType<typeof toSave>, { data: unknown }>) => {
    const { data, version: base } = saved;
    const json = JSON.stringify(saved);
    if (lastSave.current.json !== json) {
      lastSave.current = { json, idempotencyKey: crypto.randomUUID() };
    }
    const { idempotencyKey } = lastSave.current;
    try {
      const message = await target.save(data, { version: base, idempotencyKey });
      if (message !== undefined) say("done", message);
      onClose();
    } catch (error) {
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
      const next = toSave(session);
      return "data" in next
        ? target.command?.(next.data, next.version)
        : target.command?.(formData(form), session.version);
    },
    change: setSession,
    changeForm: (next) => setSession((now) => ({ ...now, form: next(now.form) })),
    save: () => {
      if (saving) return;
      if (faults.fields.size > 0) {
        setSession((now) => ({ ...now, comparing: false, form: showFaults(now.form, faults) }));
        return;
      }
      if (request.savesUnchanged !== true && hasNothingToSave(session)) {
        say("note", "nothing was changed");
        onClose();
        return;
      }
      const next = toSave(session);
      if ("undecided" in next) {
        say("note", `${counted(next.undecided, "field")} changed by both: take mine or theirs`);
        setSession(compare);
        return;
      }
      setProblem([]);
      setSaving(true);
      void send(next);
    },
  };
}
