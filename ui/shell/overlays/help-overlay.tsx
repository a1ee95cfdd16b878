import { useState } from "react";
import type { DialogProps } from "../../kit/dialogs/overlay.tsx";
import { fieldText, textField } from "../../kit/input/text-field.ts";
import { PromptField } from "../../kit/input/text-input.tsx";
import { listKeys } from "../../kit/keys/base-keys.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { keyName, keyWords, scopes, type KeyEntry, type Scope } from "../../kit/keys/keys.ts";
import { hubPart, useBindingsBelow, useKeys } from "../../kit/keys/use-keys.ts";
import { usePart } from "../../kit/state/part.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText } from "../../kit/text/text-layout.ts";
import { useRoute } from "../router.ts";
import { TextOverlay } from "./text-overlay.tsx";

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

interface Section {
  readonly title: string;
  readonly entries: readonly { readonly entry: KeyEntry; readonly reason: string | undefined }[];
}

/** The bindings of the current screen first, then the whole key table by scope. */
function sectionsOf(table: readonly KeyEntry[], bindings: readonly Binding[]): Section[] {
  const here = bindings.toSorted(
    (a, b) => Number(a.scope === "always") - Number(b.scope === "always"),
  );
  const everything = scopeNames.map((scope) => ({
    title: scopes[scope].words,
    entries: table
      .filter((entry) => entry.where.includes(scope) && !repeatsPlace(table, entry, scope))
      .map((entry) => ({ entry, reason: undefined })),
  }));
  return [{ title: "Here and now", entries: here }, ...everything];
}

/** The entries whose keys or words have the text, in their sections. */
function foundSections(sections: readonly Section[], text: string): Section[] {
  const wanted = text.trim().toLowerCase();
  const isFound = ({ entry }: Section["entries"][number]) =>
    `${keysOf(entry)} ${entry.words}`.toLowerCase().includes(wanted);
  return sections
    .map(({ title, entries }) => ({ title, entries: entries.filter(isFound) }))
    .filter(({ entries }) => entries.length > 0);
}

function sectionLines({ title, entries }: Section, width: number): StyledLine[] {
  return [
    [{ text: fitText(` ${title}`, width), as: "heading" }],
    ...entries.map(({ entry, reason }) => entryLine(entry, reason, width)),
    [{ text: " ".repeat(width) }],
  ];
}

/** The sections side by side, each in the column that is shortest so far. */
function inColumns(sections: readonly Section[], count: number, width: number): StyledLine[] {
  const columns = Array.from({ length: count }, (): StyledLine[] => []);
  for (const section of sections) {
    const shortest = columns.reduce((one, other) => (other.length < one.length ? other : one));
    shortest.push(...sectionLines(section, width));
  }
  const rows = columns.reduce((most, { length }) => Math.max(most, length), 0);
  const blank: StyledLine = [{ text: " ".repeat(width) }];
  return Array.from({ length: rows }, (_, row) => columns.flatMap((lines) => lines[row] ?? blank));
}

const leastColumn = 56;
const mostColumns = 3;

/** The help: every key with its label; `bindings` are those of the screen below. */
export function HelpOverlay(props: DialogProps & { readonly bindings: readonly Binding[] }) {
  const { onClose, bindings: atOpening, ...area } = props;
  const route = useRoute();
  const bindings = useBindingsBelow("help", atOpening, route);
  const [field, setField] = useState(textField);
  const [isTyping, setTyping] = useState(false);
  const text = fieldText(field);
  const stop = () => setTyping(false);
  useKeys("help", { filter: () => setTyping(true) }, { active: !isTyping });
  useKeys("picker", { choose: stop, close: stop }, { active: isTyping });
  const count = Math.max(1, Math.min(mostColumns, Math.floor((area.columns - 2) / leastColumn)));
  const width = Math.min(count === 1 ? 76 : count * 72, area.columns);
  const sections = foundSections(sectionsOf(usePart(hubPart).table.entries, bindings), text);
  const lines = inColumns(sections, count, Math.floor((width - 2) / count));
  const none: StyledLine = [{ text: " No key has these letters.", as: "quiet" }];
  return (
    <TextOverlay
      {...area}
      title={text === "" ? `Keys ─ ${keyName(listKeys.filter)} finds one` : `Keys with “${text}”`}
      width={width}
      lines={lines.length === 0 ? [none] : lines}
      isActive={!isTyping}
      {...(isTyping
        ? {
            field: (
              <PromptField
                scope="picker"
                field={field}
                width={width - 6}
                placeholder="a key, or what it does"
                onEdit={setField}
              />
            ),
          }
        : {})}
      onClose={text === "" ? onClose : () => setField(textField())}
    />
  );
}
