import { useMemo, useRef, useState } from "react";
import { failureHead, failureOf } from "../failure.ts";
import {
  formFaults,
  placeFaults,
  showFaults,
  type FormState,
  type PlacedFaults,
} from "../form/form-model.ts";
import {
  afterRefusal,
  openSession,
  refusalOf,
  toSave,
  type FormSession,
  type SaveOutcome,
} from "../form/form-session.ts";
import type { FormRequest } from "./use-forms.tsx";
import { useNotices } from "./use-notices.tsx";

export interface LiveForm {
  readonly session: FormSession;
  readonly faults: PlacedFaults;
  readonly saving: boolean;
  /** What went wrong with no field in particular, line by line. */
  readonly problem: readonly string[];
  change(next: (now: FormSession) => FormSession): void;
  changeForm(next: (now: FormState) => FormState): void;
  save(): void;
}

function problemLines(error: unknown): string[] {
  const failure = failureOf(error);
  return [failureHead(failure), ...failure.details];
}

/** What a failed save says to the form; asks what somebody else saved, where that is why. */
export async function outcomeOf(request: FormRequest, error: unknown): Promise<SaveOutcome> {
  const { isConflict, faults } = refusalOf(error);
  if (!isConflict || request.current === undefined) {
    const placed = placeFaults(request.subject.fields, faults);
    // What stands at its field needs no second place.
    return { faults, problem: placed.fields.size > 0 ? placed.others : problemLines(error) };
  }
  try {
    return { theirs: await request.current(), faults: [], problem: [] };
  } catch (other) {
    return { faults: [], problem: problemLines(other) };
  }
}

/** A form that is filled in, saved, and opened again where the platform does not take it. */
export function useFormSession(request: FormRequest, onSaved: () => void): LiveForm {
  const { subject, version, start } = request;
  const { say } = useNotices();
  const [session, setSession] = useState(() => openSession(subject, { version, start }));
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState(start?.outcome.problem ?? []);
  const lastSave = useRef({ json: "", idempotencyKey: "" });
  const { form } = session;
  const faults = useMemo(() => formFaults(form), [form]);

  const send = async (wanted: Extract<ReturnType<typeof toSave>, { data: unknown }>) => {
    const json = JSON.stringify(wanted);
    if (lastSave.current.json !== json) {
      lastSave.current = { json, idempotencyKey: crypto.randomUUID() };
    }
    const { idempotencyKey } = lastSave.current;
    try {
      const words = await request.save(wanted.data, { version: wanted.version, idempotencyKey });
      say("done", words);
      onSaved();
    } catch (error) {
      const outcome = await outcomeOf(request, error);
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
    change: setSession,
    changeForm: (next) => setSession((now) => ({ ...now, form: next(now.form) })),
    save: () => {
      if (saving) return;
      if (faults.fields.size > 0) {
        setSession((now) => ({ ...now, comparing: false, form: showFaults(now.form, faults) }));
        return;
      }
      const wanted = toSave(session);
      if ("undecided" in wanted) {
        say("note", `${wanted.undecided} of these were changed by both: take mine or theirs`);
        setSession((now) => ({ ...now, comparing: true }));
        return;
      }
      setProblem([]);
      setSaving(true);
      void send(wanted);
    },
  };
}
