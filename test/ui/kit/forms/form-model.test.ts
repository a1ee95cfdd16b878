import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, ObjectType } from "#client/index.ts";
import { recordFields } from "#ui/records/actions/form-fields-of-type.ts";
import {
  editInput,
  findChoice,
  formData,
  formFaults,
  goToField,
  initialData,
  isChanged,
  longTextAt,
  lockedReason,
  openForm,
  refuse,
  replaceText,
  setText,
  toggleItem,
  turnChoice,
  withData,
  type FormState,
} from "#ui/kit/forms/form-model.ts";
import { dataCheck } from "#ui/records/actions/check-form-data.ts";
import { fieldText, insertText, textField } from "#ui/kit/input/text-field.ts";

const type: Pick<ObjectType, "properties" | "linkTypes"> = {
  properties: {
    reference: { type: "string", required: true, pattern: "^PA-[0-9]+$" },
    note: { type: "text" },
    fee: { type: "number", minimum: 0 },
    dwellings: { type: "integer" },
    status: { type: "enum", required: true, enum: ["open", "decided"] },
    listed: { type: "boolean", default: false },
    received: { type: "date" },
    seen: { type: "datetime" },
    contact: { type: "email" },
    place: { type: "geopoint" },
    tags: { type: "array", items: { type: "string" }, maxItems: 2 },
    size: { type: "object", properties: { width: { type: "number", required: true } } },
    plans: { type: "file" },
    odd: { type: "of-a-later-version" },
  },
  linkTypes: [
    { name: "licence", targetObjectType: "licence", cardinality: "one" },
    { name: "neighbours", targetObjectType: "person", cardinality: "many" },
  ],
};

function open(data: JsonObject, isCreation = false): FormState {
  const fields = recordFields(type, data);
  return openForm({ fields, data, check: dataCheck(type, isCreation) });
}

/** Types into a field from its beginning. */
function fill(form: FormState, name: string, text: string): FormState {
  const at = form.subject.fields.findIndex((field) => field.name === name);
  return setText(goToField(form, at), text);
}

it("a field that the role may not write keeps its value, and shows why", () => {
  const ruled = {
    ...type,
    properties: {
      title: { type: "string" },
      note: { type: "string", writeRoles: ["tenant-admin"] },
    },
    linkTypes: [],
  };
  const data = { title: "Ash", note: "kept" };
  const openAs = (role: string) => {
    const fields = recordFields(ruled, data, role);
    return openForm({ fields, data, check: () => [] });
  };
  const staff = fill(openAs("tenant-staff"), "note", "mine");
  expect(formData(staff)).toEqual(data);
  expect(staff.subject.fields[1]?.locked).toBe("is read-only for you: needs the role tenant-admin");
  expect(formData(fill(openAs("tenant-admin"), "note", "mine"))).toEqual({ ...data, note: "mine" });
  const whole = recordFields({ ...ruled, writeRoles: ["tenant-builder"] }, data, "tenant-staff");
  expect(whole.every(({ locked }) => locked !== undefined)).toBe(true);
});

function faultsByName(form: FormState): Record<string, string> {
  const { fields } = formFaults(form);
  return Object.fromEntries(
    [...fields].map(([index, words]) => [form.subject.fields[index]?.name ?? "", words]),
  );
}

const good: JsonObject = { reference: "PA-1", status: "open" };

describe("a form", () => {
  it("has a field of the right kind for each property except files", () => {
    expect(open({}).subject.fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "reference line",
      "note lines",
      "fee number",
      "dwellings number",
      "status choice",
      "listed choice",
      "received line",
      "seen line",
      "contact line",
      "place json",
      "tags list",
      "size json",
      "odd json",
      "licence line",
      "neighbours list",
    ]);
  });

  it("returns unchanged data exactly", () => {
    const names = fc.constantFrom(...Object.keys(type.properties).filter((one) => one !== "plans"));
    const anything = fc.dictionary(names, fc.jsonValue());
    fc.assert(
      fc.property(anything, (given) => {
        const data: JsonObject = JSON.parse(JSON.stringify(given)) as JsonObject;
        const form = open(data);
        expect(formData(form)).toEqual(data);
        expect(isChanged(form)).toBe(false);
      }),
    );
  });

  it("converts typed text to values", () => {
    let form = open({});
    const typed: [string, string][] = [
      ["reference", "PA-7"],
      ["note", "two\nlines"],
      ["fee", "1.5"],
      ["dwellings", "12"],
      ["status", "decided"],
      ["listed", "yes"],
      ["place", '{"type":"Point","coordinates":[1,2]}'],
      ["tags", '["trees"]'],
    ];
    for (const [name, text] of typed) form = fill(form, name, text);
    expect(formData(form)).toEqual({
      reference: "PA-7",
      note: "two\nlines",
      fee: 1.5,
      dwellings: 12,
      status: "decided",
      listed: true,
      place: { type: "Point", coordinates: [1, 2] },
      tags: ["trees"],
    });
    expect(faultsByName(form)).toEqual({});
    expect(isChanged(form)).toBe(true);
  });

  it("reads a list as lines without blanks and empty lines, or as JSON", () => {
    const tagsOf = (text: string) => formData(fill(open({}), "tags", text))["tags"];
    expect(tagsOf(" trees \n\nlisted building")).toEqual(["trees", "listed building"]);
    expect(tagsOf('["two\\nlines"]')).toEqual(["two\nlines"]);
    expect(tagsOf("[draft]")).toEqual(["[draft]"]);
    expect(tagsOf(" \n")).toBeUndefined();
  });

  it("shows a list as lines if they can represent it, else as JSON", () => {
    const shown = (tags: readonly unknown[]) => {
      const form = open({ tags: [...tags] as string[] });
      const at = form.subject.fields.findIndex(({ name }) => name === "tags");
      return fieldText(form.inputs[at] ?? textField());
    };
    expect(shown(["trees", "listed building"])).toBe("trees\nlisted building");
    expect(shown(["two\nlines"])).toBe('["two\\nlines"]');
    expect(shown([" blank", ""])).toBe('[" blank",""]');
    expect(shown(["[1]"])).toBe('["[1]"]');
    expect(shown([1])).toBe("[1]");
  });

  it("adds a chosen record to a list, and removes it again", () => {
    const opened = open({});
    const form = goToField(opened, opened.subject.fields.length - 1);
    const both = toggleItem(toggleItem(form, "one"), "two");
    expect(formData(both)["neighbours"]).toEqual(["one", "two"]);
    expect(formData(toggleItem(both, "one"))["neighbours"]).toEqual(["two"]);
  });

  it("removes a property whose field is emptied", () => {
    expect(formData(fill(open({ ...good, fee: 3 }), "fee", ""))).toEqual(good);
  });

  it.each([
    ["reference", "", "is required"],
    ["reference", "XX", "must match the pattern ^PA-[0-9]+$"],
    ["fee", "-1", "must be at least 0"],
    ["fee", "much", "must be a number"],
    ["dwellings", "1.5", "must be an integer"],
    ["received", "2026-02-30", "must be a date, as 2026-11-21"],
    ["seen", "now", "must be a time, as 2026-11-21T09:30:00Z"],
    ["contact", "nobody", "must be an e-mail address"],
    [
      "place",
      '{"type":"Point","coordinates":[200,0]}',
      "coordinates › item 1 must be a number from -180 to 180",
    ],
    ["tags", "[1]", "item 1 must be text"],
    ["size", "{", "is not JSON: texts and names need quotes"],
    [
      "size",
      '{"width":9007199254740993}',
      "width has more digits than a number keeps: send it as text",
    ],
    ["size", '{"width":1,"width":2}', "width is given more than once: give it one value"],
    ["fee", "9007199254740993", "has more digits than a number keeps"],
    ["tags", "a\nb\n\nc", "must have at most 2 items"],
    ["neighbours", "12", "item 1 must be the id of a record of person"],
    ["size", "{}", "width is required"],
    ["licence", "12", "must be the id of a record of licence"],
  ])("says of %s %j that it %s", (name, text, words) => {
    expect(faultsByName(fill(open(good), name, text))).toEqual({ [name]: words });
  });

  it("begins with the defaults, and does not check unknown kinds", () => {
    const fields = recordFields(type, {});
    expect(initialData(fields)).toEqual({ listed: false });
    expect(faultsByName(fill(open(good), "odd", '{"any":1}'))).toEqual({});
  });

  it("shows values without a property, to be emptied", () => {
    const form = open({ ...good, old: 1 });
    expect(faultsByName(form)).toEqual({ old: "is not a property of this type" });
    expect(formData(fill(form, "old", ""))).toEqual(good);
  });

  it("moves through choices, and finds them by their letters", () => {
    const at = open({}).subject.fields.findIndex(({ name }) => name === "listed");
    const texts = (form: FormState) =>
      fieldText(form.inputs[at] ?? insertText({ graphemes: [], cursor: 0 }, "?"));
    const form = goToField(open({}), at);
    expect([1, 2, 3, -1].map((by) => texts(turnChoice(form, by)))).toEqual(["yes", "no", "", "no"]);
    expect(texts(findChoice(form, "N"))).toBe("no");
    expect(texts(findChoice(form, "x"))).toBe("");
  });

  it("takes no key in a text that is too long to edit, which an editor replaces", () => {
    const note = "x".repeat(150_003);
    const at = open({}).subject.fields.findIndex(({ name }) => name === "note");
    const form = goToField(open({ ...good, note }), at);
    expect(longTextAt(form, at)).toBe(note);
    expect(formData(form)["note"]).toBe(note);
    const typed = editInput(form, (input) => insertText(input, "new"));
    expect(formData(setText(typed, "new"))["note"]).toBe(note);
    expect(isChanged(typed)).toBe(false);
    expect(lockedReason(typed)).toBe("note has 150,003 characters, too many to edit here");
    const other = "y".repeat(150_001);
    expect(formData(replaceText(form, other))["note"]).toBe(other);
    expect(formData(withData(form, { ...good, note: other }))["note"]).toBe(other);
    expect(formData(withData(replaceText(form, other), { ...good, note }))["note"]).toBe(note);
    const short = replaceText(form, "short");
    expect([lockedReason(short), formData(short)["note"]]).toEqual([undefined, "short"]);
    expect(isChanged(replaceText(short, note))).toBe(false);
  });

  it("shows the platform's fault at its field until the field changes", () => {
    const form = refuse(open(good), [
      { pointer: "#/data/reference", detail: "is the value of another record already" },
      { pointer: "#/data/tags/0", detail: "is too rude" },
    ]);
    expect(form.at).toBe(0);
    expect(faultsByName(form)).toEqual({
      reference: "is the value of another record already",
      tags: "item 1 is too rude",
    });
    expect(faultsByName(fill(form, "reference", "PA-2"))).toEqual({ tags: "item 1 is too rude" });
  });
});

describe("a proposed text", () => {
  it("follows the other fields until the user types another one", () => {
    const line = { kind: "line", choices: [], target: undefined, fallback: undefined } as const;
    const plain = { ...line, isRequired: true, hint: "text" };
    const proposal = ({ name }: JsonObject) => (typeof name === "string" ? name.toLowerCase() : "");
    const fields = [
      { ...plain, name: "name", label: "name" },
      { ...plain, name: "key", label: "key", proposal },
    ];
    let form = openForm({ fields, data: {}, check: () => [] });
    form = setText(form, "Permit");
    expect(formData(form)).toEqual({ name: "Permit", key: "permit" });
    form = setText(form, "Permits");
    expect(formData(form)).toEqual({ name: "Permits", key: "permits" });
    form = goToField(setText(goToField(form, 1), "desk"), 0);
    expect(formData(setText(form, "Other"))).toEqual({ name: "Other", key: "desk" });
    form = goToField(setText(goToField(form, 1), ""), 0);
    expect(formData(setText(form, "Other"))).toEqual({ name: "Other" });
  });
});
