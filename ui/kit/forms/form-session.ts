import type { Fault, JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/same-json.ts";
import { ownMember } from "#lib/own-member.ts";
import {
  formData,
  isChanged,
  openForm,
  refuse,
  withData,
  withSubject,
  type FormState,
  type FormSubject,
} from "./form-model.ts";
import {
  compareThree,
  merged,
  sideOf,
  undecided,
  type Decisions,
  type Threefold,
} from "./merge.ts";

/** A record as somebody else has saved it while the form was open. */
export interface Theirs {
  readonly version: number;
  readonly data: JsonObject;
  /** Id of who saved it, where that is told. */
  readonly by?: string | null | undefined;
}

/** A form from its opening until it is saved or left. */
export interface FormSession {
  readonly form: FormState;
  /** The version that `form.subject.data` is; none for what is not guarded by one. */
  readonly version: number | undefined;
  readonly conflict: { readonly theirs: Theirs; readonly decisions: Decisions } | undefined;
  /** Whether the conflict is looked at, rather than the fields. */
  readonly comparing: boolean;
  /** Somebody deleted the record: what is saved is a new one. */
  readonly isGone: boolean;
  /** The type was changed, and the fields with it. */
  readonly isRenewed: boolean;
  /** Place in the list of what differs. */
  readonly row: number;
}

/** Why a save did not work, as far as the form shows it. */
export interface SaveOutcome {
  /** Somebody else was quicker, and this is what they saved. */
  readonly theirs?: Theirs | undefined;
  /** Somebody deleted it, and it can be created anew. */
  readonly isGone?: boolean;
  /** What the form is about by now, where its type was changed. */
  readonly subject?: FormSubject | undefined;
  /** What is wrong, at its fields. */
  readonly faults: readonly Fault[];
  /** What went wrong with no field in particular, line by line. */
  readonly problem: readonly string[];
}

/** What a form begins with where that is not its subject's data: what came back from an editor. */
export interface FormStart {
  readonly mine: JsonObject;
  readonly outcome: SaveOutcome;
}

export function openSession(
  subject: FormSubject,
  options: { readonly version?: number | undefined; readonly start?: FormStart | undefined } = {},
): FormSession {
  const { version, start } = options;
  const form = openForm(subject);
  const session: FormSession = {
    form,
    version,
    conflict: undefined,
    comparing: false,
    isGone: false,
    isRenewed: false,
    row: 0,
  };
  if (start === undefined) return session;
  return afterRefusal({ ...session, form: withData(form, start.mine) }, start.outcome);
}

/** The form after a save that did not work. */
export function afterRefusal(session: FormSession, outcome: SaveOutcome): FormSession {
  const { theirs, faults, subject } = outcome;
  if (theirs !== undefined) return beginConflict(session, theirs);
  if (outcome.isGone === true) return afterDeletion(session);
  if (faults.length === 0) return session;
  const form = subject === undefined ? session.form : withSubject(session.form, subject);
  const isRenewed = session.isRenewed || subject !== undefined;
  return { ...session, comparing: false, isRenewed, form: refuse(form, faults) };
}

/** What was deleted is created anew as it would have been saved, with what was taken of others. */
function afterDeletion(session: FormSession): FormSession {
  const { conflict, form } = session;
  const left =
    conflict === undefined
      ? form
      : withData(form, merged(conflict.theirs.data, threesOf(session), conflict.decisions));
  return {
    ...session,
    form: left,
    version: undefined,
    conflict: undefined,
    comparing: false,
    isGone: true,
  };
}

/** The whole record as it would be: the fields, and the files as they were. */
function wholeData({ form }: FormSession): JsonObject {
  return { ...filesOf(form.subject), ...formData(form) };
}

/** What no field shows: the record's files, which have ways of their own. */
function filesOf({ fields, data }: FormSubject): JsonObject {
  const shown = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => !shown.has(name)));
}

/** Whether the record had files, which one that is created anew has not. */
export function hasFiles({ form }: FormSession): boolean {
  return Object.values(filesOf(form.subject)).some((file) => file !== null);
}

/** What differs between what was, mine and theirs; nothing where there is no conflict. */
export function threesOf(session: FormSession): Threefold[] {
  const { conflict, form } = session;
  if (conflict === undefined) return [];
  return compareThree(form.subject.data, wholeData(session), conflict.theirs.data);
}

/** Somebody else was quicker. Decisions stay where what they were made about is the same still. */
export function beginConflict(session: FormSession, theirs: Theirs): FormSession {
  const { conflict } = session;
  const stays = (name: string) =>
    conflict !== undefined &&
    sameJson(ownMember(conflict.theirs.data, name), ownMember(theirs.data, name));
  const decisions = new Map([...(conflict?.decisions ?? [])].filter(([name]) => stays(name)));
  return compare({ ...session, conflict: { theirs, decisions } });
}

/**
 * Decides on the property that is looked at, or on all of them, and goes on to the next one. A file
 * stays theirs: it comes and goes by a route of its own, and the old one would be refused here.
 */
export function decide(
  session: FormSession,
  side: "mine" | "theirs",
  scope: "this" | "all",
): FormSession {
  const { conflict, form } = session;
  if (conflict === undefined) return session;
  const threes = threesOf(session);
  const typed = new Set(form.subject.fields.map(({ name }) => name));
  const chosen = scope === "all" ? threes : threes.slice(session.row, session.row + 1);
  const decisions = new Map(conflict.decisions);
  for (const { name } of chosen) if (typed.has(name)) decisions.set(name, side);
  const row = scope === "all" ? session.row : Math.min(session.row + 1, threes.length - 1);
  return { ...session, conflict: { ...conflict, decisions }, row };
}

/** Looks at the conflict, at the first property that still wants a decision. */
export function compare(session: FormSession): FormSession {
  const decisions = session.conflict?.decisions ?? new Map();
  const row = threesOf(session).findIndex((three) => sideOf(three, decisions) === undefined);
  return { ...session, comparing: true, row: Math.max(0, row) };
}

/** Goes to the field of the property that is looked at; what is typed there is then mine. */
export function editDecided(session: FormSession): FormSession {
  const { conflict, form } = session;
  const three = threesOf(session)[session.row];
  const at = form.subject.fields.findIndex(({ name }) => name === three?.name);
  if (conflict === undefined || three === undefined || at === -1) return session;
  const decisions = new Map(conflict.decisions).set(three.name, "mine");
  const decided = { ...conflict, decisions };
  return { ...session, conflict: decided, comparing: false, form: { ...form, at } };
}

/** What would be saved, or how many properties still want a decision first. */
export function toSave(
  session: FormSession,
):
  | { readonly data: JsonObject; readonly version: number | undefined }
  | { readonly undecided: number } {
  const { conflict, form, version } = session;
  if (conflict === undefined) return { data: formData(form), version };
  const threes = threesOf(session);
  const open = undecided(threes, conflict.decisions).length;
  if (open > 0) return { undecided: open };
  const data = merged(conflict.theirs.data, threes, conflict.decisions);
  return { data, version: conflict.theirs.version };
}

/** Whether a save would only make a version that is the same as the one before it. */
export function hasNothingToSave({
  form,
  version,
  conflict,
  isGone,
  isRenewed,
}: FormSession): boolean {
  const isPlain = conflict === undefined && !isGone && !isRenewed;
  return isPlain && version !== undefined && !isChanged(form);
}

export interface SaveRefusal {
  /** The version is not current any more: what is stored must be looked at. */
  readonly isConflict: boolean;
  /** There is no such record any more. */
  readonly isGone: boolean;
  readonly faults: readonly Fault[];
}

/** What a failed save says of the form; by shape, since it comes from any deployment. */
export function refusalOf(error: unknown): SaveRefusal {
  const problem =
    error instanceof Error && "problem" in error && typeof error.problem === "object"
      ? error.problem
      : null;
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  const isGone = status === 404;
  if (problem === null) return { isConflict: status === 412, isGone, faults: [] };
  const isConflict =
    (status === 409 || status === 412) &&
    "currentVersion" in problem &&
    typeof problem.currentVersion === "number";
  const errors = "errors" in problem && Array.isArray(problem.errors) ? problem.errors : [];
  const faults = errors.flatMap((entry: unknown): Fault[] => {
    if (typeof entry !== "object" || entry === null) return [];
    const pointer = "pointer" in entry ? entry.pointer : undefined;
    const detail = "detail" in entry ? entry.detail : undefined;
    if (typeof pointer !== "string" || typeof detail !== "string") return [];
    return [{ pointer, detail }];
  });
  return { isConflict, isGone, faults };
}
