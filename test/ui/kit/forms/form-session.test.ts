import { describe, expect, it } from "vitest";
import type { JsonObject } from "#client/index.ts";
import { parameterFields } from "#ui/records/actions/form-fields-of-type.ts";
import { formData, goToField, setText } from "#ui/kit/forms/form-model.ts";
import {
  afterRefusal,
  beginConflict,
  decide,
  editDecided,
  hasFiles,
  hasNothingToSave,
  openSession,
  refusalOf,
  differencesOf,
  toSave,
  type FormSession,
} from "#ui/kit/forms/form-session.ts";

const fields = parameterFields({
  status: { type: "string" },
  note: { type: "string" },
  fee: { type: "number" },
});
const base: JsonObject = { status: "open", note: "a", fee: 1, plans: { size: 3 } };

function open(): FormSession {
  return openSession({ fields, data: base, check: () => [] }, { version: 4 });
}

function typed(session: FormSession, name: string, text: string): FormSession {
  const at = fields.findIndex((field) => field.name === name);
  return { ...session, form: setText(goToField(session.form, at), text) };
}

const theirs = { version: 5, data: { ...base, status: "decided", fee: 2 } };

describe("saving a form", () => {
  it("sends the fields with the version of their data", () => {
    expect(toSave(typed(open(), "note", "b"))).toEqual({
      data: { status: "open", note: "b", fee: 1 },
      version: 4,
    });
  });

  it("has nothing to save until a field, the record or the type changes", () => {
    expect(hasNothingToSave(open())).toBe(true);
    const other = typed(open(), "note", "b");
    expect(hasNothingToSave(other)).toBe(false);
    expect(hasNothingToSave(typed(other, "note", "a"))).toBe(true);
    expect(hasNothingToSave(beginConflict(open(), theirs))).toBe(false);
    const gone = afterRefusal(open(), { isGone: true, faults: [], problem: [] });
    expect(hasNothingToSave(gone)).toBe(false);
    const made = openSession({ fields, data: base, check: () => [] });
    expect(hasNothingToSave(made)).toBe(false);
  });

  it("knows of files, which a record that is created again does not have", () => {
    expect(hasFiles(open())).toBe(true);
    const { plans: _files, ...data } = base;
    expect(hasFiles(openSession({ fields, data, check: () => [] }, { version: 4 }))).toBe(false);
  });

  it("includes the changes of others, and sends their version", () => {
    const session = beginConflict(typed(open(), "note", "b"), theirs);
    expect(session.comparing).toBe(true);
    expect(toSave(session)).toEqual({
      data: { status: "decided", note: "b", fee: 2, plans: { size: 3 } },
      version: 5,
    });
  });

  it.each([
    ["deleted", {}],
    ["replaced", { plans: { size: 9 } }],
  ])("leaves a file that others %s, whatever is decided", (_, files) => {
    const data = { status: "decided", note: "a", fee: 2, ...files };
    const session = beginConflict(typed(open(), "note", "b"), { version: 5, data });
    expect(differencesOf(session).map(({ name }) => name)).toContain("plans");
    expect(toSave(decide(session, "mine", "all"))).toEqual({
      data: { ...data, status: "open", note: "b", fee: 1 },
      version: 5,
    });
  });

  it("waits for a decision on what both changed, and starts there", () => {
    const mine = typed(typed(open(), "note", "b"), "fee", "3");
    const session = beginConflict(mine, theirs);
    expect(differencesOf(session)[session.row]?.name).toBe("fee");
    expect(toSave(session)).toEqual({ undecided: 1 });
    expect(toSave(decide(session, "theirs", "this"))).toMatchObject({
      data: { note: "b", fee: 2 },
    });
    expect(toSave(decide(session, "mine", "this"))).toMatchObject({ data: { note: "b", fee: 3 } });
    expect(toSave(decide(session, "theirs", "all"))).toEqual({ data: theirs.data, version: 5 });
  });

  it("loses no typed text: an edited field is mine", () => {
    const session = editDecided(beginConflict(typed(open(), "fee", "3"), theirs));
    expect(session.comparing).toBe(false);
    expect(fields[session.form.at]?.name).toBe("fee");
    expect(formData(session.form)).toEqual({ status: "open", note: "a", fee: 3 });
    expect(toSave(typed(session, "fee", "9"))).toMatchObject({ data: { fee: 9 }, version: 5 });
  });

  it("keeps decisions in a second conflict, except for values that changed again", () => {
    const mine = typed(typed(open(), "fee", "3"), "status", "withdrawn");
    const first = decide(beginConflict(mine, theirs), "mine", "all");
    const again = { version: 6, data: { ...theirs.data, fee: 7 } };
    const second = beginConflict(first, again);
    expect(toSave(second)).toEqual({ undecided: 1 });
    expect(toSave(decide(second, "theirs", "this"))).toMatchObject({
      data: { status: "withdrawn", fee: 7 },
      version: 6,
    });
  });

  it("continues with data from an editor", () => {
    const outcome = { theirs, faults: [], problem: [] };
    const session = openSession(
      { fields, data: base, check: () => [] },
      { version: 4, start: { mine: { ...base, note: "mine" }, outcome } },
    );
    expect(toSave(session)).toMatchObject({ data: { status: "decided", note: "mine" } });
  });

  it("creates a deleted record again, with the changes of others and without files", () => {
    const session = afterRefusal(beginConflict(typed(open(), "fee", "3"), theirs), {
      isGone: true,
      faults: [],
      problem: [],
    });
    expect(session).toMatchObject({ isGone: true, comparing: false });
    expect(toSave(session)).toEqual({
      data: { status: "decided", note: "a", fee: 3 },
      version: undefined,
    });
  });

  it("continues with the fields of a changed type, at the current field", () => {
    const subject = {
      fields: parameterFields({ ward: { type: "string" }, fee: { type: "number" } }),
      data: base,
      check: () => [],
    };
    const session = afterRefusal(typed(open(), "fee", "3"), {
      faults: [{ pointer: "#/data/note", detail: "is not a property of this type" }],
      problem: [],
      subject,
    });
    expect(session.form.subject.fields.map(({ name }) => name)).toEqual(["ward", "fee"]);
    expect(session.form.at).toBe(1);
    expect(formData(session.form)).toEqual({ fee: 3 });
  });

  it("puts faults at their fields", () => {
    const faults = [{ pointer: "#/data/fee", detail: "must be more" }];
    const session = afterRefusal(open(), { faults, problem: [] });
    expect([...session.form.refused]).toEqual([[2, "must be more"]]);
    expect(session.form.at).toBe(2);
  });
});

describe("a refusal", () => {
  const error = (status: number, problem: unknown) =>
    Object.assign(new Error("refused"), { status, problem });

  it("is a conflict if the current version differs", () => {
    expect(refusalOf(error(409, { currentVersion: 7 })).isConflict).toBe(true);
    expect(refusalOf(error(412, { currentVersion: 7 })).isConflict).toBe(true);
    expect(refusalOf(error(409, { detail: "exists already" })).isConflict).toBe(false);
    expect(refusalOf(error(422, { currentVersion: 7 })).isConflict).toBe(false);
  });

  it("means a deleted record for a 404", () => {
    expect(refusalOf(error(404, { detail: "not found" })).isGone).toBe(true);
    expect(refusalOf(error(409, { currentVersion: 7 })).isGone).toBe(false);
  });

  it("has faults, and ignores other entries", () => {
    const errors = [{ pointer: "#/fee", detail: "must be more" }, null, { pointer: 1 }, "no"];
    expect(refusalOf(error(422, { errors })).faults).toEqual([
      { pointer: "#/fee", detail: "must be more" },
    ]);
    expect(refusalOf(new Error("odd"))).toEqual({ isConflict: false, isGone: false, faults: [] });
    expect(refusalOf("odd")).toEqual({ isConflict: false, isGone: false, faults: [] });
  });
});
