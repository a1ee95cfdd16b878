import { useState } from "react";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { keyWords, scopes, type KeyEntry, type Scope } from "../../kit/keys/keys.ts";
import { hubPart, useBindingsBelow, useKeys } from "../../kit/keys/use-keys.ts";
import { usePart } from "../../kit/state/part.ts";
import { listStart, moveBy, settle } from "../../kit/cursor/list-cursor.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText } from "../../kit/text/text-layout.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { useRoute } from "../router.ts";

const keyWidth = 18;
const scopeNames = Object.keys(scopes).filter((name): name is Scope => Object.hasOwn(scopes, name));

function keysOf(entry: KeyEntry): string {
  return entry.keys.map(keyWords).join(" ");
}

function entryLine(entry: KeyEntry, reason: string | undefined, width: number): StyledLine {
  const words = reason === undefined ? entry.words : `${entry.words} (${reason})`;
  return [
    {
      text: `   ${fitText(keysOf(entry), keyWidth)} `,
      as: reason === undefined ? "key" : "quiet",
    },
    {
      text: fitText(words, width - keyWidth - 5),
      as: reason === undefined ? "text" : "quiet",
    },
  ];
}

/** A pane repeats some keys of the place, which are listed once. */
function repeatsPlace(table: readonly KeyEntry[], entry: KeyEntry, scope: Scope): boolean {
  const isSame = (other: KeyEntry) =>
    other.where.includes("place") && keysOf(other) === keysOf(entry) && other.words === entry.words;
  return scope === "pane" && table.some(isSame);
}

/** The bindings of the current screen first, then the whole key table by scope. */
function helpLines(
  table: readonly KeyEntry[],
  bindings: readonly Binding[],
  width: number,
): StyledLine[] {
  const here = bindings
    .toSorted((a, b) => Number(a.scope === "always") - Number(b.scope === "always"))
    .map(({ entry, reason }) => entryLine(entry, reason, width));
  const everything = scopeNames.flatMap((scope): StyledLine[] => {
    const entries = table.filter(
      (entry) => entry.where.includes(scope) && !repeatsPlace(table, entry, scope),
    );
    if (entries.length === 0) return [];
    const heading: StyledLine = [{ text: ` ${scopes[scope].words}`, as: "heading" }];
    return [[], heading, ...entries.map((entry) => entryLine(entry, undefined, width))];
  });
  return [[{ text: " Here and now", as: "heading" }], ...here, ...everything];
}

/** The help: every key with its label; `bindings` are those of the screen below. */
export function HelpOverlay(props: DialogProps & { readonly bindings: readonly Binding[] }) {
  const { onClose, bindings: atOpening, ...area } = props;
  const route = useRoute();
  const bindings = useBindingsBelow("help", atOpening, route);
  const [position, setPosition] = useState(listStart);
  const width = Math.min(76, area.columns);
  const lines = helpLines(usePart(hubPart).table.entries, bindings, width - 2);
  const height = Math.min(area.rows, lines.length + 2);
  const visible = Math.max(1, height - 2);
  // The keys scroll: each position is a first line.
  const positions = Math.max(1, lines.length - visible + 1);
  const { index } = settle(position, positions, 1);
  const move = (by: number) =>
    setPosition((now) => moveBy(settle(now, positions, 1), by, positions, 1));
  useKeys("help", {
    up: (count) => move(-count),
    down: (count) => move(count),
    pageUp: (count) => move(-count * visible),
    pageDown: (count) => move(count * visible),
    first: () => move(-positions),
    last: () => move(positions),
    close: onClose,
  });
  return (
    <Overlay {...area} title="Keys" width={width} height={height}>
      <TextLines lines={lines} top={index} width={width - 2} height={visible} />
    </Overlay>
  );
}
