import { key, keyGroup, keyName, type Scope } from "./keys.ts";
import { firstOf, row, staff } from "./reasons.ts";

const onlyKey = { onlyKey: true };
const paged: readonly Scope[] = ["pane", "chat", "form", "picker", "columns", "help"];
const typing: readonly Scope[] = ["input", "form", "dialog", "picker", "chat"];
const moved: readonly Scope[] = ["pane", "conflict", "columns", "help"];
const chosen: readonly Scope[] = ["form", "picker", "dialog"];

/** Moving and looking in lists and text. */
export const listKeys = keyGroup({
  up: [key("up k", moved, "up", onlyKey), key("up", chosen, "up", onlyKey)],
  down: [key("down j", moved, "down", onlyKey), key("down", chosen, "down", onlyKey)],
  pageUp: key("pageup ctrl+b", paged, "page up", onlyKey),
  pageDown: key("pagedown ctrl+f", paged, "page down", onlyKey),
  first: key("home g", ["pane", "columns", "help"], "first", onlyKey),
  last: key("end G", ["pane", "columns", "help"], "last", onlyKey),
  left: key("left h", "pane", "columns to the left, fold", onlyKey),
  right: key("right l", "pane", "columns to the right, unfold", onlyKey),
  nextPane: key("tab", "place", "next pane", { footer: 60, onlyKey: true }),
  previousPane: key("shift+tab", "place", "previous pane", onlyKey),
  open: key("enter", "pane", "open", { footer: 10, disabledReason: row }),
  mark: key("space", "pane", "mark", { footer: 45, disabledReason: row }),
  markRange: key("v", "place", "mark up to here", { disabledReason: row }),
  markAll: key("A", "place", "mark all", { disabledReason: row }),
  filter: key("/", ["place", "help"], "filter", { footer: 20 }),
  zoomIn: key("+ =", "pane", "zoom in", { footer: 11 }),
  zoomOut: key("-", "pane", "zoom out", { footer: 12 }),
  mapSigns: key("b", "pane", "coast in blocks or Braille", { footer: 13 }),
  zoom: key("+", "place", "zoom", { footer: 48, onlyKey: true }),
  largerList: key(">", "place", "more room for the list", onlyKey),
  smallerList: key("<", "place", "more room for the details", onlyKey),
  nextTab: [
    key("]", "pane", "next tab", { footer: 14 }),
    key("]", "place", "next tab", { footer: 50 }),
  ],
  previousTab: key("[", ["pane", "place"], "previous tab"),
});

/** Typing, dialogs, forms, and going. */
export const commonKeys = keyGroup({
  delete: key("ctrl+d", ["pane", "place"], "delete", {
    footer: 70,
    disabledReason: firstOf(row, staff),
  }),
  copyCommand: [
    key("y", ["pane", "place"], "copy command", { footer: 81 }),
    key("ctrl+y", ["form", "picker", "dialog"], "copy command", { footer: 15 }),
  ],
  newline: key("alt+enter ctrl+j", ["chat", "form"], "new line", { footer: 20, onlyKey: true }),
  submit: [
    key("enter", ["input", "dialog", "columns"], "done", { footer: 10, onlyKey: true }),
    key("enter", "form", "next field, or a new line in a long text", onlyKey),
  ],
  cancel: key("escape", ["input", "dialog", "columns"], "cancel", { footer: 11, onlyKey: true }),
  older: key("up", ["input", "chat"], "up, or what was typed before", onlyKey),
  newer: key("down", ["input", "chat"], "down, or what was typed after it", onlyKey),
  cursorLeft: key("left", typing, "cursor left", onlyKey),
  cursorRight: key("right", typing, "cursor right", onlyKey),
  wordLeft: key("alt+b alt+left ctrl+left", typing, "word left", onlyKey),
  wordRight: key("alt+f alt+right ctrl+right", typing, "word right", onlyKey),
  lineStart: key("home ctrl+a", typing, "start of line", onlyKey),
  lineEnd: key("end ctrl+e", typing, "end of line", onlyKey),
  eraseLeft: key("backspace", typing, "erase", onlyKey),
  eraseRight: key("delete", typing, "erase to the right", onlyKey),
  eraseWord: key("ctrl+w alt+backspace", typing, "erase word", onlyKey),
  eraseToStart: key("ctrl+u", typing, "erase to the start", onlyKey),
  eraseToEnd: key("ctrl+k", typing, "erase to the end", onlyKey),
  confirm: key("y", "dialog", "yes", { footer: 10, onlyKey: true }),
  refuse: key("n escape", "dialog", "no", { footer: 11, onlyKey: true }),
  wholeCommand: key("tab", "dialog", "the whole command", onlyKey),
  choose: key("enter", "picker", "choose", { footer: 10, onlyKey: true }),
  complete: key("tab", ["picker", "input"], "complete", { footer: 12, onlyKey: true }),
  otherWay: key("shift+tab", "picker", "options", { footer: 13, onlyKey: true }),
  wholeFolder: key("ctrl+o", "picker", "all of the folder", { footer: 14, onlyKey: true }),
  toggle: key("space", "columns", "show or hide", { footer: 12, onlyKey: true }),
  moveUp: key("K", "columns", "move up", { footer: 13, onlyKey: true }),
  moveDown: key("J", "columns", "move down", { footer: 14, onlyKey: true }),
  standard: key("r", "columns", "the type's own", { footer: 15, onlyKey: true }),
  close: [
    key("escape", "form", "close", { footer: 11, onlyKey: true }),
    key("escape", "conflict", "back", { footer: 11, onlyKey: true }),
    key("escape", "picker", "close", { footer: 11, onlyKey: true }),
    key("escape q ?", "help", "close", { footer: 10, onlyKey: true }),
  ],
  goBack: key("escape", ["pane", "place"], "back", { footer: 28 }),
  refresh: key("r", "global", "refresh", { footer: 80 }),
  palette: key(": ctrl+p", "global", "go to", { footer: 90, onlyKey: true }),
  help: key("?", "global", "help", { footer: 91 }),
  quit: [
    key("q", "global", "quit", { footer: 92 }),
    key("ctrl+c", "always", "quit; twice, without saving", onlyKey),
  ],
  pause: key("ctrl+z", "always", "put this program in the background", onlyKey),
});

/** The next step after a filter without matches. */
export function filterHint(): string {
  return `${keyName(commonKeys.goBack)} removes it, ${keyName(listKeys.filter)} changes it.`;
}
