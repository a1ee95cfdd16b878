import type { Fault, JsonObject } from "#client/index.ts";
import { membersOf } from "#lib/json/value.ts";
import { sameJson } from "#lib/json/same.ts";
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
  type ThreeVersions,
} from "./merge.ts";

/** A record as another user saved it while the form was open. */
export interface Theirs {
  readonly version: number;
  readonly data: JsonObject;
  /** The id of the user who saved it, if known. */
  readonly by?: string | null | undefined;
}

export interface FormSession {
  readonly form: FormState;
  /** The version of `form.subject.data`; absent for a new record. */
  readonly version: number | undefined;
  readonly conflict: { readonly theirs: Theirs; readonly decisions: Decisions } | undefined;
  readonly comparing: boolean;
  /** Another user deleted the record: a save creates a new one. */
  readonly isGone: boolean;
  readonly isRenewed: boolean;
  readonly row: number;
}

/** The reasons why a save failed. */
export interface SaveOutcome {
  /** The version that another user saved first. */
  readonly theirs?: Theirs | undefined;
  /** Another user deleted the record; it can be created again. */
  readonly isGone?: boolean;
  /** The new subject of the form, if its type changed. */
  readonly subject?: FormSubject | undefined;
  readonly faults: readonly Fault[];
  readonly problem: readonly string[];
}

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

/** The form after a failed save. */
export function afterRefusal(session: FormSession, outcome: SaveOutcome): FormSession {
  const { theirs, faults, subject } = outcome;
  if (theirs !== undefined) return beginConflict(session, theirs);
  if (outcome.isGone === true) return afterDeletion(session);
  if (faults.length === 0) return session;
  const form = subject === undefined ? session.form : withSubject(session.form, subject);
  const isRenewed = session.isRenewed || subject !== undefined;
  return { ...session, comparing: false, isRenewed, form: refuse(form, faults) };
}

/** The deleted record as a new one, with what was already taken from another user's version. */
function afterDeletion(session: FormSession): FormSession {
  const { conflict, form } = session;
  const next = {
    form: conflict === undefined ? form : withData(form, mergedData(session, conflict)),
    version: undefined,
    conflict: undefined,
  };
  return { ...session, ...next, comparing: false, isGone: true };
}

function mergedData(
  session: FormSession,
  { theirs, decisions }: NonNullable<FormSession["conflict"]>,
): JsonObject {
  return merged(theirs.data, differencesOf(session), decisions);
}

/** The properties without a field: files, which have separate routes. */
function filesOf({ fields, data }: FormSubject): JsonObject {
  const shown = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => !shown.has(name)));
}

/** Whether the record had files: a record that is created again has none. */
export function hasFiles({ form }: FormSession): boolean {
  return Object.values(filesOf(form.subject)).some((file) => file !== null);
}

/** The differences between the base, my and their version; none without a conflict. */
export function differencesOf({ conflict, form }: FormSession): ThreeVersions[] {
  if (conflict === undefined) return [];
  const mine = { ...filesOf(form.subject), ...formData(form) };
  return compareThree(form.subject.data, mine, conflict.theirs.data);
}

/** Shows what another user saved first. Decisions stay for properties that did not change again. */
export function beginConflict(session: FormSession, theirs: Theirs): FormSession {
  const { conflict } = session;
  const isSame = (name: string) =>
    sameJson(ownMember(conflict?.theirs.data ?? {}, name), ownMember(theirs.data, name));
  const decisions = new Map([...(conflict?.decisions ?? [])].filter(([name]) => isSame(name)));
  return compare({ ...session, conflict: { theirs, decisions } });
}

/**
 * Takes one side for the selected difference, or for all, and selects the next one. Files stay
 * theirs: they have separate routes.
 */
export function decide(
  session: FormSession,
  side: "mine" | "theirs",
  scope: "this" | "all",
): FormSession {
  const { conflict, form } = session;
  if (conflict === undefined) return session;
  const differences = differencesOf(session);
  const { row } = session;
  const editable = new Set(form.subject.fields.map(({ name }) => name));
  const chosen = scope === "all" ? differences : differences.slice(row, row + 1);
  const decisions = new Map(conflict.decisions);
  for (const { name } of chosen) if (editable.has(name)) decisions.set(name, side);
  const nextRow = scope === "all" ? row : Math.min(row + 1, differences.length - 1);
  return { ...session, conflict: { ...conflict, decisions }, row: nextRow };
}

/** Shows the conflict at the first difference without a decision. */
export function compare(session: FormSession): FormSession {
  const decisions = session.conflict?.decisions ?? new Map();
  const row = differencesOf(session).findIndex((each) => sideOf(each, decisions) === undefined);
  return { ...session, comparing: true, row: Math.max(0, row) };
}

/** Goes to the field of the selected difference, and takes my value. */
export function editDecided(session: FormSession): FormSession {
  const { conflict, form } = session;
  const selected = differencesOf(session)[session.row];
  const at = form.subject.fields.findIndex(({ name }) => name === selected?.name);
  if (conflict === undefined || selected === undefined || at === -1) return session;
  const decisions = new Map(conflict.decisions).set(selected.name, "mine");
  const decided = { ...conflict, decisions };
  return { ...session, conflict: decided, comparing: false, form: { ...form, at } };
}

/** The data to save, or the number of differences that still need a decision. */
export function toSave(
  session: FormSession,
):
  | { readonly data: JsonObject; readonly version: number | undefined }
  | { readonly undecided: number } {
  const { conflict, form, version } = session;
  if (conflict === undefined) return { data: formData(form), version };
  const open = undecided(differencesOf(session), conflict.decisions).length;
  if (open > 0) return { undecided: open };
  return { data: mergedData(session, conflict), version: conflict.theirs.version };
}

/** Whether a save would only create an equal version. */
export function hasNothingToSave(session: FormSession): boolean {
  const { form, version, conflict, isGone, isRenewed } = session;
  const isPlain = conflict === undefined && !isGone && !isRenewed;
  return isPlain && version !== undefined && !isChanged(form);
}

interface SaveRefusal {
  /** The version is no longer current. */
  readonly isConflict: boolean;
  readonly isGone: boolean;
  readonly faults: readonly Fault[];
}

/** Reads why a save failed. Checks shapes, because any deployment may have sent it. */
export function refusalOf(error: unknown): SaveRefusal {
  const facts = membersOf(error);
  const status = facts?.get("status");
  const problem = membersOf(facts?.get("problem"));
  const isGone = status === 404;
  if (problem === undefined) return { isConflict: status === 412, isGone, faults: [] };
  const errors = problem.get("errors");
  const faults = (Array.isArray(errors) ? errors : []).flatMap((entry: unknown): Fault[] => {
    const [pointer, detail] = ["pointer", "detail"].map((name) => membersOf(entry)?.get(name));
    return typeof pointer === "string" && typeof detail === "string" ? [{ pointer, detail }] : [];
  });
  const isConflict =
    (status === 409 || status === 412) && typeof problem.get("currentVersion") === "number";
  return { isConflict, isGone, faults };
}
