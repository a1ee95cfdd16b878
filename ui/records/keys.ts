import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, builder, firstOf, roleReason, row, staff } from "../kit/keys/reasons.ts";
import { editor, single, type ShellFacts, type ShellKeys } from "../shell/keys.ts";

export interface RecordFacts extends ShellFacts {
  /** Lowest role that an action of the open type needs. */
  readonly actionRole?: string | undefined;
  /** The name of the last change; empty if nothing was changed. */
  readonly undoable?: string | undefined;
}

const action = because(
  ({ role, readOnly, actionRole }: RecordFacts) =>
    readOnly ?? (actionRole === undefined ? undefined : roleReason(actionRole, role)),
);

const undoable = because(({ undoable: words }: RecordFacts) =>
  words === "" ? "nothing was changed here yet" : undefined,
);

const editing = firstOf(row, staff, single);
const acting = firstOf(row, action);

export const recordKeys = keyGroup({
  sort: key("s", "place", "sort", { footer: 21 }),
  reverseSort: key("S", "place", "reverse the order"),
  columns: key("C", "place", "columns", { footer: 23 }),
  views: key("L", "place", "views", { footer: 33 }),
  nextView: key("}", "place", "next view", { footer: 34 }),
  previousView: key("{", "place", "previous view"),
  bars: key("b", "place", "bars", { footer: 24 }),
  groupBy: key("B", "place", "group by", { footer: 21 }),
  partBy: key("S", "place", "parts of each bar", { footer: 23 }),
  figure: key("m", "place", "figure", { footer: 22 }),
  export: key("x", "place", "export to a file", { footer: 46, disabledReason: row }),
  import: key("I", "place", "import a file", { disabledReason: staff }),
  edit: [
    key("e", "pane", "edit", { footer: 12, disabledReason: editing }),
    key("e", "place", "edit", { footer: 30, disabledReason: editing }),
  ],
  editCell: key("i", "place", "edit a field", { footer: 32, disabledReason: editing }),
  createType: key("c", "place", "create a type", { footer: 31, disabledReason: builder }),
  create: key("c", "place", "create", { footer: 31, disabledReason: staff }),
  act: [
    key("d", "pane", "do an action", { footer: 13, disabledReason: acting }),
    key("d", "place", "do an action", { footer: 29, disabledReason: acting }),
  ],
  editInEditor: key("E", "place", "edit in your editor", {
    disabledReason: firstOf(row, staff, editor, single),
  }),
  createInEditor: key("N", "place", "create in your editor", {
    disabledReason: firstOf(staff, editor),
  }),
  restoreVersion: key("z", "pane", "restore this version", {
    footer: 15,
    disabledReason: firstOf(row, staff),
  }),
  saveFile: key("s", "pane", "save the file", { footer: 11 }),
  undo: key("z", "global", "undo", { footer: 18, disabledReason: firstOf(undoable, staff) }),
  goResources: key("1", "global", "resources"),
});

export type RecordKeys = typeof recordKeys & ShellKeys;
