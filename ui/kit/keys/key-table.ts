import {
  action,
  active,
  admin,
  editor,
  firstOf,
  invites,
  lasting,
  moving,
  needs,
  reviews,
  row,
  single,
  staff,
  stopped,
  text,
  wanting,
  type Reason,
} from "./key-reasons.ts";

/**
 * The table of keys. Handling, footer, help and palette are computed from it; a screen names
 * intents, never keys.
 */

/** Where a key works; deeper scopes go first, and a modal scope hides those below it. */
export const scopes = {
  global: { depth: 0, modal: false, words: "Everywhere" },
  place: { depth: 1, modal: false, words: "In this place" },
  pane: { depth: 2, modal: false, words: "In lists and text" },
  input: { depth: 3, modal: false, words: "While typing" },
  chat: { depth: 3, modal: false, words: "While writing a message" },
  form: { depth: 4, modal: true, words: "In forms" },
  conflict: { depth: 4, modal: true, words: "When another user saved first" },
  dialog: { depth: 5, modal: true, words: "In questions" },
  picker: { depth: 6, modal: true, words: "While choosing" },
  columns: { depth: 6, modal: true, words: "While choosing columns" },
  help: { depth: 7, modal: true, words: "In this help" },
  always: { depth: 8, modal: false, words: "Always" },
} as const satisfies Record<string, { depth: number; modal: boolean; words: string }>;
export type Scope = keyof typeof scopes;

export interface KeyEntry<Intent extends string = string> {
  readonly intent: Intent;
  readonly keys: readonly string[];
  readonly where: readonly Scope[];
  readonly words: string;
  /** Rank in the footer, lowest first; a narrow footer drops the highest. */
  readonly footer?: number;
  /** Not offered by the palette: it moves or edits within the focus. */
  readonly onlyKey?: boolean;
  readonly disabledReason?: Reason;
}

type Options = Pick<KeyEntry, "footer" | "onlyKey" | "disabledReason">;

function key<const Intent extends string>(
  intent: Intent,
  keys: string,
  where: Scope | readonly Scope[],
  words: string,
  options: Options = {},
): KeyEntry<Intent> {
  const places = typeof where === "string" ? [where] : where;
  return { intent, keys: keys.split(" "), where: places, words, ...options };
}

const onlyKey = { onlyKey: true };
const paged: readonly Scope[] = ["pane", "chat", "form", "picker", "columns", "help"];
const typing: readonly Scope[] = ["input", "form", "dialog", "picker", "chat"];

export const keyTable = [
  // Moving in lists and text
  key("up", "up k", ["pane", "conflict", "columns", "help"], "up", onlyKey),
  key("down", "down j", ["pane", "conflict", "columns", "help"], "down", onlyKey),
  key("up", "up", ["form", "picker", "dialog"], "up", onlyKey),
  key("down", "down", ["form", "picker", "dialog"], "down", onlyKey),
  key("pageUp", "pageup ctrl+b", paged, "page up", onlyKey),
  key("pageDown", "pagedown ctrl+f", paged, "page down", onlyKey),
  key("first", "home g", ["pane", "columns", "help"], "first", onlyKey),
  key("last", "end G", ["pane", "columns", "help"], "last", onlyKey),
  key("left", "left h", "pane", "columns to the left, fold", onlyKey),
  key("right", "right l", "pane", "columns to the right, unfold", onlyKey),
  key("nextPane", "tab", "place", "next pane", { footer: 60, onlyKey: true }),
  key("previousPane", "shift+tab", "place", "previous pane", onlyKey),

  // Looking
  key("open", "enter", "pane", "open", { footer: 10, disabledReason: row }),
  key("filter", "/", "place", "filter", { footer: 20 }),
  key("sort", "s", "place", "sort", { footer: 21 }),
  key("reverseSort", "S", "place", "reverse the order"),
  key("columns", "C", "place", "columns", { footer: 23 }),
  key("bars", "b", "place", "bars", { footer: 24 }),
  key("groupBy", "B", "place", "group by", { footer: 21 }),
  key("figure", "m", "place", "figure", { footer: 22 }),
  key("nextTab", "]", "pane", "next tab", { footer: 14 }),
  key("nextTab", "]", "place", "next tab", { footer: 50 }),
  key("previousTab", "[", ["pane", "place"], "previous tab"),
  key("readText", "t", "place", "read text", { footer: 24, disabledReason: firstOf(row, text) }),
  key("nextPage", "n", "place", "next page", { footer: 25 }),
  key("previousPage", "p", "place", "previous page", { footer: 26 }),
  key("mark", "space", "pane", "mark", { footer: 45, disabledReason: row }),
  key("markRange", "v", "place", "mark up to here", { disabledReason: row }),
  key("markAll", "A", "place", "mark all", { disabledReason: row }),
  key("export", "x", "place", "export to a file", { footer: 46, disabledReason: row }),
  key("search", "f", "global", "search", { footer: 27 }),
  key("searchMode", "tab", "picker", "another mode", { footer: 12, onlyKey: true }),
  key("searchTypes", "shift+tab", "picker", "what to search", { footer: 13, onlyKey: true }),
  key("refresh", "r", "global", "refresh", { footer: 80 }),

  // Acting
  key("edit", "e", "pane", "edit", { footer: 12, disabledReason: firstOf(row, staff, single) }),
  key("edit", "e", "place", "edit", { footer: 30, disabledReason: firstOf(row, staff, single) }),
  key("create", "c", "place", "create", { footer: 31, disabledReason: staff }),
  key("act", "d", "pane", "do an action", { footer: 13, disabledReason: firstOf(row, action) }),
  key("act", "d", "place", "do an action", { footer: 29, disabledReason: firstOf(row, action) }),
  key("editInEditor", "E", "place", "edit in your editor", {
    disabledReason: firstOf(row, staff, editor, single),
  }),
  key("createInEditor", "N", "place", "create in your editor", {
    disabledReason: firstOf(staff, editor),
  }),
  key("upload", "u", ["pane", "place"], "upload", {
    footer: 22,
    disabledReason: firstOf(needs("documents.upload", "tenant-staff"), single),
  }),
  key("retry", "R", "place", "retry", { footer: 32, disabledReason: firstOf(row, staff, stopped) }),
  key("cancelJob", "K", "place", "cancel job", {
    footer: 33,
    disabledReason: firstOf(row, staff, moving),
  }),
  key("stopUpload", "X", "place", "stop the upload", { footer: 15 }),
  key("sendAgain", "U", "place", "send again", { footer: 16, disabledReason: staff }),
  key("ask", "a", "place", "ask about it", { footer: 35, disabledReason: firstOf(row, staff) }),
  key("review", "V", "place", "review", { footer: 34, disabledReason: firstOf(row, reviews) }),
  key("reviewQueue", "Q", "place", "all reviews", { footer: 36 }),
  key("acceptReview", "A", ["pane", "place"], "accept", {
    footer: 11,
    disabledReason: firstOf(row, reviews),
  }),
  key("correctReview", "e", ["pane", "place"], "correct", {
    footer: 12,
    disabledReason: firstOf(row, reviews),
  }),
  key("saveFile", "s", "pane", "save the file", { footer: 11 }),
  key("delete", "ctrl+d", ["pane", "place"], "delete", {
    footer: 70,
    disabledReason: firstOf(row, staff),
  }),
  key("copyCommand", "y", ["pane", "place"], "copy command", { footer: 81 }),
  key("copyText", "Y", "place", "copy text", { disabledReason: single }),

  // Workspaces
  key("createWorkspace", "c", "place", "new workspace below", {
    footer: 31,
    disabledReason: firstOf(row, admin),
  }),
  key("deleteWorkspace", "ctrl+d", "place", "delete", {
    footer: 70,
    disabledReason: firstOf(row, admin),
  }),
  key("purgeWorkspace", "P", "place", "purge", { footer: 71, disabledReason: row }),
  key("restoreWorkspace", "R", "place", "restore", { footer: 32 }),

  // Members
  key("invite", "i", "place", "invite", { footer: 30, disabledReason: invites }),
  key("changeRole", "o", "place", "change the role", {
    footer: 31,
    disabledReason: firstOf(row, needs("members.setRole", "tenant-admin")),
  }),
  key("toggleMember", "D", "place", "disable or enable", {
    footer: 32,
    disabledReason: firstOf(row, needs("members.disable", "tenant-admin")),
  }),
  key("removeMember", "ctrl+d", "place", "remove", {
    footer: 70,
    disabledReason: firstOf(row, needs("members.remove", "tenant-admin")),
  }),

  // API keys
  key("createKey", "c", "place", "create a key", {
    footer: 30,
    disabledReason: needs("keys.create", "tenant-admin"),
  }),
  key("changeKeyRole", "o", "place", "change the role", {
    footer: 31,
    disabledReason: firstOf(row, active, needs("keys.setRole", "tenant-admin")),
  }),
  key("revokeKey", "ctrl+d", "place", "revoke", {
    footer: 70,
    disabledReason: firstOf(row, active, needs("keys.revoke", "tenant-admin")),
  }),

  // Apps and workflows
  key("provisionApp", "P", "place", "provision", {
    footer: 30,
    disabledReason: firstOf(row, needs("apps.provision", "tenant-builder")),
  }),
  key("enrollApp", "c", "place", "enroll an app", {
    footer: 31,
    disabledReason: needs("apps.create", "tenant-builder"),
  }),
  key("readProvisioning", "i", "place", "read a job by its id", {
    footer: 32,
    disabledReason: row,
  }),
  key("requestWorkflow", "a", "place", "request it", {
    footer: 30,
    disabledReason: firstOf(row, wanting, staff),
  }),
  key("requestOther", "c", "place", "request another", { footer: 31, disabledReason: staff }),

  // Signing in
  key("signInBrowser", "b", "place", "sign in by browser", { footer: 10 }),
  key("signInDevice", "d", "place", "sign in with a code", { footer: 11 }),
  key("startLocal", "l", "place", "use a platform on this machine", { footer: 12 }),
  key("choosePlatform", "p", "place", "another platform", { footer: 13 }),

  // An empty local platform
  key("fillSampleData", "D", "place", "fill in sample data", { footer: 10 }),

  // Chat
  key("write", "i", "place", "write a message", { footer: 9 }),
  key("send", "enter", "chat", "send", { footer: 10 }),
  key("openCitation", "enter", "chat", "open the source", { footer: 10 }),
  key("newline", "alt+enter ctrl+j", ["chat", "form"], "new line", { footer: 20, onlyKey: true }),
  key("nextCitation", "tab", "chat", "next source", { footer: 21 }),
  key("previousCitation", "shift+tab", "chat", "previous source"),
  key("stop", "escape", "chat", "stop", { footer: 8 }),
  key("leave", "escape", "chat", "leave", { footer: 12, onlyKey: true }),
  key("workflow", "ctrl+t", ["chat", "place"], "workflow", { footer: 43 }),
  key("allDocuments", "ctrl+x", ["chat", "place"], "ask about all documents", { footer: 44 }),
  key("newConversation", "ctrl+n", ["chat", "place"], "new conversation", { footer: 41 }),
  key("conversations", "ctrl+o", ["chat", "place"], "conversations", { footer: 42 }),

  // Forms
  key("save", "ctrl+s", ["form", "conflict"], "save", { footer: 10 }),
  key("close", "escape", "form", "close", { footer: 11, onlyKey: true }),
  key("close", "escape", "conflict", "back", { footer: 11, onlyKey: true }),
  key("nextField", "tab", "form", "next field", { footer: 12, onlyKey: true }),
  key("previousField", "shift+tab", "form", "previous field", { footer: 13, onlyKey: true }),
  key("submit", "enter", "form", "next field, or a new line in a long text", onlyKey),
  key("chooseValue", "ctrl+o", "form", "choose from a list", { footer: 14 }),
  key("copyCommand", "ctrl+y", "form", "copy command", { footer: 15 }),
  key("takeMine", "m", "conflict", "mine", { footer: 1, onlyKey: true }),
  key("takeTheirs", "t", "conflict", "theirs", { footer: 2, onlyKey: true }),
  key("editField", "e enter", "conflict", "edit mine", { footer: 3, onlyKey: true }),
  key("takeAllMine", "M", "conflict", "all mine", { footer: 4, onlyKey: true }),
  key("takeAllTheirs", "T", "conflict", "all theirs", { footer: 5, onlyKey: true }),

  // Typing
  key("submit", "enter", ["input", "dialog", "columns"], "done", { footer: 10, onlyKey: true }),
  key("cancel", "escape", ["input", "dialog", "columns"], "cancel", { footer: 11, onlyKey: true }),
  key("older", "up", ["input", "chat"], "up, or what was typed before", onlyKey),
  key("newer", "down", ["input", "chat"], "down, or what was typed after it", onlyKey),
  key("cursorLeft", "left", typing, "cursor left", onlyKey),
  key("cursorRight", "right", typing, "cursor right", onlyKey),
  key("wordLeft", "alt+b alt+left ctrl+left", typing, "word left", onlyKey),
  key("wordRight", "alt+f alt+right ctrl+right", typing, "word right", onlyKey),
  key("lineStart", "home ctrl+a", typing, "start of line", onlyKey),
  key("lineEnd", "end ctrl+e", typing, "end of line", onlyKey),
  key("eraseLeft", "backspace", typing, "erase", onlyKey),
  key("eraseRight", "delete", typing, "erase to the right", onlyKey),
  key("eraseWord", "ctrl+w alt+backspace", typing, "erase word", onlyKey),
  key("eraseToStart", "ctrl+u", typing, "erase to the start", onlyKey),
  key("eraseToEnd", "ctrl+k", typing, "erase to the end", onlyKey),

  // Questions and choices
  key("confirm", "y", "dialog", "yes", { footer: 10, onlyKey: true }),
  key("refuse", "n escape", "dialog", "no", { footer: 11, onlyKey: true }),
  key("choose", "enter", "picker", "choose", { footer: 10, onlyKey: true }),
  key("complete", "tab", ["picker", "input"], "complete", { footer: 12, onlyKey: true }),
  key("toggle", "space", "columns", "show or hide", { footer: 12, onlyKey: true }),
  key("moveUp", "K", "columns", "move up", { footer: 13, onlyKey: true }),
  key("moveDown", "J", "columns", "move down", { footer: 14, onlyKey: true }),
  key("standard", "r", "columns", "the type's own", { footer: 15, onlyKey: true }),
  key("close", "escape", "picker", "close", { footer: 11, onlyKey: true }),
  key("close", "escape q ?", "help", "close", { footer: 10, onlyKey: true }),

  // Going
  key("goResources", "1", "global", "resources"),
  key("goDocuments", "2", "global", "documents"),
  key("goJobs", "3", "global", "jobs"),
  key("goChat", "4", "global", "chat"),
  key("goMembers", "5", "global", "members"),
  key("goOperations", "6", "global", "operations"),
  key("goApps", "7", "global", "apps"),
  key("goWorkspaces", "w", "global", "workspaces"),
  key("goBack", "escape", ["pane", "place"], "back", { footer: 28 }),
  key("makeDefault", "M", "place", "make default", {
    footer: 12,
    disabledReason: firstOf(row, lasting),
  }),
  key("makeDefault", "M", "global", "make this workspace the default", {
    disabledReason: lasting,
  }),
  key("palette", ": ctrl+p", "global", "go to", { footer: 90, onlyKey: true }),
  key("help", "?", "global", "help", { footer: 91 }),
  key("quit", "q", "global", "quit", { footer: 92 }),
  key("quit", "ctrl+c", "always", "quit; twice, without saving", onlyKey),
  key("pause", "ctrl+z", "always", "put this program in the background", onlyKey),
] as const;

export type Intent = (typeof keyTable)[number]["intent"];

/** A key name for a reader. */
export function keyWords(name: string): string {
  const glyphs: Readonly<Record<string, string>> = {
    enter: "↵",
    escape: "esc",
    up: "↑",
    down: "↓",
    left: "←",
    right: "→",
    pageup: "pgup",
    pagedown: "pgdn",
    "shift+tab": "⇧tab",
  };
  return glyphs[name] ?? name.replace("ctrl+", "^");
}

export function keyName(intent: Intent): string {
  const entry: KeyEntry | undefined = keyTable.find((each) => each.intent === intent);
  return keyWords(entry?.keys[0] ?? "");
}

/** A hint such as "u uploads a file."; for a role that may not, the reason. */
export function keyOffer(intent: Intent, does: string, role: string | undefined): string {
  const entry: KeyEntry | undefined = keyTable.find((each) => each.intent === intent);
  const reason = entry?.disabledReason?.({ role });
  return reason === undefined ? `${keyName(intent)} ${does}` : `${entry?.words ?? ""}: ${reason}`;
}

/** The next step after a filter without matches. */
export function filterHint(): string {
  return `${keyName("goBack")} removes it, ${keyName("filter")} changes it.`;
}
