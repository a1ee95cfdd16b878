import { useState } from "react";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { keyTable, keyWords, scopes, type KeyEntry, type Scope } from "../../kit/keys/key-table.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { listStart, moveBy, settle } from "../../kit/lists/list-cursor.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText } from "../../kit/text/text-layout.ts";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import { TextLines } from "../../kit/text/text-lines.tsx";

function keysOf(entry: KeyEntry): string {
  return entry.keys.map(keyWords).join(" ");
}

/** What the keys do: those that work here first, then the whole table by scope. */
function helpLines(bindings: readonly Binding[], width: number): StyledLine[] {
  const keyWidth = 18;
  const line = (entry: KeyEntry, reason: string | undefined): StyledLine => {
    const words = reason === undefined ? entry.words : `${entry.words} (${reason})`;
    const as = reason === undefined ? "text" : "quiet";
    return [
      { text: `   ${fitText(keysOf(entry), keyWidth)} `, as: reason === undefined ? "key" : as },
      { text: fitText(words, width - keyWidth - 5), as },
    ];
  };
  // What works everywhere is the least news.
  const here = bindings
    .toSorted((a, b) => Number(a.scope === "always") - Number(b.scope === "always"))
    .map((binding) => line(binding.entry, binding.reason));
  const names = Object.keys(scopes).filter((name): name is Scope => Object.hasOwn(scopes, name));
  const everything = names.flatMap((scope): StyledLine[] => {
    const entries = keyTable.filter(
      (entry: KeyEntry) => entry.where.includes(scope) && isNews(entry, scope),
    );
    if (entries.length === 0) return [];
    const heading: StyledLine = [{ text: ` ${scopes[scope].words}`, as: "heading" }];
    return [[], heading, ...entries.map((entry) => line(entry, undefined))];
  });
  return [[{ text: " Here and now", as: "heading" }], ...here, ...everything];
}

/** Not said of a place already: a pane hears some of the place's keys first. */
function isNews(entry: KeyEntry, scope: Scope): boolean {
  return (
    scope !== "pane" ||
    !keyTable.some(
      (other: KeyEntry) =>
        other.where.includes("place") &&
        keysOf(other) === keysOf(entry) &&
        other.words === entry.words,
    )
  );
}

/** `?`: every key and its words, from the key table. */
export function HelpOverlay(props: DialogProps & { readonly bindings: readonly Binding[] }) {
  const { bindings, columns, rows, onClose } = props;
  const [kept, setCursor] = useState(listStart);
  const width = Math.min(76, columns);
  const lines = helpLines(bindings, width - 2);
  const height = Math.min(rows, lines.length + 2);
  const visible = Math.max(1, height - 2);
  // Moves the window itself: nothing is selected in a text.
  const places = Math.max(1, lines.length - visible + 1);
  const cursor = settle(kept, places, 1);
  const move = (by: number) => setCursor((now) => moveBy(settle(now, places, 1), by, places, 1));
  useKeys("help", {
    up: (count) => move(-count),
    down: (count) => move(count),
    pageUp: (count) => move(-count * visible),
    pageDown: (count) => move(count * visible),
    first: () => move(-places),
    last: () => move(places),
    close: onClose,
  });
  return (
    <Overlay title="Keys" columns={columns} rows={rows} width={width} height={height}>
      <TextLines lines={lines} top={cursor.index} width={width - 2} height={visible} />
    </Overlay>
  );
}
