import { key, keyGroup } from "../kit/keys/keys.ts";
import { admin, because, firstOf, needs, row, staff, type KeyFacts } from "../kit/keys/reasons.ts";

export interface ShellFacts extends KeyFacts {
  /** The platform ends with the dashboard. */
  readonly isTemporary?: boolean | undefined;
  /** VISUAL or EDITOR is set. */
  readonly hasEditor?: boolean | undefined;
}

/** Facts of a document or of its job. */
export interface TextFacts extends KeyFacts {
  /** The selected document has extracted text. */
  readonly hasText?: boolean | undefined;
}

const lasting = because(({ isTemporary }: ShellFacts) =>
  isTemporary === true ? "this platform ends with the dashboard" : undefined,
);
const text = because(({ hasText }: TextFacts) =>
  hasText === false ? "no text has been extracted from it" : undefined,
);
export const editor = because(({ hasEditor }: ShellFacts) =>
  hasEditor === false ? "set VISUAL or EDITOR to your editor first" : undefined,
);
/** The reason of actions on one record while others are marked. */
export const single = because(({ marked = 0 }: ShellFacts) =>
  marked === 0 ? undefined : `works on one record, and ${marked} are marked: esc unmarks them`,
);

/** Keys of several nouns, of forms, and those that work in every place. */
export const shellKeys = keyGroup({
  readText: key("t", "place", "read text", { footer: 24, disabledReason: firstOf(row, text) }),
  upload: key("u", ["pane", "place"], "upload", {
    footer: 22,
    disabledReason: firstOf(needs("documents.upload", "tenant-staff"), single),
  }),
  stopUpload: key("X", "place", "stop the upload", { footer: 15 }),
  sendAgain: key("U", "place", "send again", { footer: 16, disabledReason: staff }),
  copyText: key("Y", "place", "copy text", { disabledReason: single }),
  deleted: key("T", "place", "the trash", { footer: 47 }),
  restore: key("z", "place", "restore", { footer: 11, disabledReason: firstOf(row, staff) }),
  erase: key("ctrl+d", "place", "erase for good", {
    footer: 70,
    disabledReason: firstOf(row, admin),
  }),
  map: key("W", "place", "where: a map", { footer: 25 }),
  search: key("f", "global", "search", { footer: 27 }),
  goWorkspaces: key("w", "global", "workspaces"),
  goArchives: key("=", "global", "archives"),
  showConfiguration: key(".", "global", "show or hide types of configuration, and ids"),
  mouse: key(",", "global", "mouse on or off"),
  showNotices: key("@", "global", "notices and commands"),
  makeDefault: [
    key("M", "place", "make default", { footer: 12, disabledReason: firstOf(row, lasting) }),
    key("M", "global", "make this workspace the default", { disabledReason: lasting }),
  ],
  save: key("ctrl+s", ["form", "conflict"], "save", { footer: 10 }),
  nextField: key("tab", "form", "next field", { footer: 12, onlyKey: true }),
  previousField: key("shift+tab", "form", "previous field", { footer: 13, onlyKey: true }),
  chooseValue: key("ctrl+o", "form", "choose from a list", { footer: 14 }),
  editText: key("E", "locked", "edit the text in your editor", {
    footer: 11,
    disabledReason: editor,
  }),
  takeMine: key("m", "conflict", "mine", { footer: 1, onlyKey: true }),
  takeTheirs: key("t", "conflict", "theirs", { footer: 2, onlyKey: true }),
  editField: key("e enter", "conflict", "edit mine", { footer: 3, onlyKey: true }),
  takeAllMine: key("M", "conflict", "all mine", { footer: 4, onlyKey: true }),
  takeAllTheirs: key("T", "conflict", "all theirs", { footer: 5, onlyKey: true }),
});

export type ShellKeys = typeof shellKeys;
