import { AskDialog } from "../../kit/dialogs/ask-dialog.tsx";
import { ChoiceDialog, currentIndex } from "../../kit/dialogs/choice-dialog.tsx";
import { ColumnChooser } from "../../kit/dialogs/column-chooser.tsx";
import { ConfirmDialog } from "../../kit/dialogs/confirm-dialog.tsx";
import { FileBrowser } from "../../kit/dialogs/file-browser.tsx";
import { type DialogProps, type OverlayArea, Overlay } from "../../kit/dialogs/overlay.tsx";
import { useStore } from "../../kit/state/store.ts";
import { useHost } from "../host.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import type { ShellParts } from "../parts.ts";
import { useNotices } from "../notices.ts";
import { useCopyCommand } from "../use-copy.ts";
import { NoticesOverlay } from "./notices-overlay.tsx";
import { useOverlays, type OverlayState } from "./overlays.ts";
import { useChoicesElsewhere, usePaletteChoices } from "./use-palette-choices.ts";
import { WorkDialog } from "./work-dialog.tsx";
import { RunLine, useAliasChoice } from "../profile/own-keys.tsx";
import { commonKeys, listKeys } from "../../kit/keys/base-keys.ts";
import { useEffect, useEffectEvent, useState } from "react";
import type { Pending } from "../../kit/dialogs/questions.ts";
import { keyName, keyWords, scopes, type KeyEntry, type Scope } from "../../kit/keys/keys.ts";
import { useKeys, hubPart, useBindingsBelow } from "../../kit/keys/use-keys.ts";
import { Line, Paint } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/panes/waiting.tsx";
import { fieldText, textField } from "../../kit/input/text-field.ts";
import { PromptField } from "../../kit/input/text-input.tsx";
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
function HelpOverlay(props: DialogProps & { readonly bindings: readonly Binding[] }) {
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

/** Data that loads faster is not worth a window. */
const patienceMs = 150;

/** Blocks the keys until data has loaded, so that the next step opens over nothing else. */
function WaitDialog(props: DialogProps & { readonly pending: Pending }) {
  const { pending, onClose, ...area } = props;
  const { sayFailure } = useNotices();
  const [isSlow, setIsSlow] = useState(false);
  const begin = useEffectEvent((signal: AbortSignal) => {
    const end = (next: () => void) => {
      if (signal.aborted) return;
      onClose();
      next();
    };
    pending.ask(signal).then(end, (error: unknown) => end(() => sayFailure(error)));
  });
  useEffect(() => {
    const aborter = new AbortController();
    begin(aborter.signal);
    const timer = setTimeout(() => setIsSlow(true), patienceMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, []);
  useKeys("dialog", { cancel: onClose });
  if (!isSlow) return null;
  return (
    <Overlay {...area} title={pending.title} width={52} height={4}>
      <Line>
        {" "}
        <Waiting words={pending.words} />
      </Line>
      <Line as="quiet">
        {" "}
        <Paint as="key">{keyName(commonKeys.cancel)}</Paint> cancels
      </Line>
    </Overlay>
  );
}

type OverlayParts = Pick<ShellParts, "Search" | "useFinds">;

export function OverlayView(props: OverlayArea & OverlayParts) {
  const overlays = useOverlays();
  const shown = useStore(overlays.shown);
  if (shown === undefined) return null;
  return <OpenOverlay key={shown.id} overlay={shown.overlay} {...props} onClose={overlays.close} />;
}

function Palette(
  props: DialogProps & Pick<ShellParts, "useFinds"> & { readonly bindings: readonly Binding[] },
) {
  const { bindings, useFinds, ...area } = props;
  const { say } = useNotices();
  const elsewhere = useChoicesElsewhere(bindings);
  const useFirst = (pattern: string) => useAliasChoice(pattern, bindings);
  const useAllFinds = (pattern: string) => [...useFinds(pattern), ...elsewhere(pattern)];
  return (
    <ChoiceDialog
      title="Go to, or do"
      placeholder="a place, an action, a record, a member, or: type filter"
      onRefused={(words) => say("note", words)}
      choices={usePaletteChoices(bindings)}
      useFirst={useFirst}
      useFinds={useAllFinds}
      {...area}
    />
  );
}

function OpenOverlay(props: DialogProps & OverlayParts & { readonly overlay: OverlayState }) {
  const { overlay, Search, useFinds, ...area } = props;
  const folders = useHost();
  const { line: onCopy } = useCopyCommand();
  switch (overlay.kind) {
    case "choose":
      return (
        <ChoiceDialog
          title={overlay.title}
          placeholder={overlay.placeholder}
          choices={overlay.choices}
          more={overlay.more}
          startAt={currentIndex(overlay.choices)}
          {...area}
        />
      );
    case "palette":
      return <Palette bindings={overlay.bindings} useFinds={useFinds} {...area} />;
    case "line":
      return <RunLine line={overlay.line} bindings={overlay.bindings} {...area} />;
    case "confirm":
      return <ConfirmDialog question={overlay.question} onCopy={onCopy} {...area} />;
    case "search":
      return <Search objectType={overlay.objectType} {...area} />;
    case "work":
      return <WorkDialog work={overlay.work} {...area} />;
    case "wait":
      return <WaitDialog pending={overlay.pending} {...area} />;
    case "columns":
      return <ColumnChooser question={overlay.question} {...area} />;
    case "ask":
      return <AskDialog question={overlay.question} onCopy={onCopy} {...area} />;
    case "file": {
      const { onPick, onOptions, onFolder, note } = overlay;
      const closing = (next: (path: string) => void) => (path: string) => {
        area.onClose();
        next(path);
      };
      return (
        <FileBrowser
          title={overlay.title}
          currentDirectory={folders.currentDirectory}
          homeDirectory={folders.homeDirectory}
          note={note}
          onPick={closing(onPick)}
          onOptions={onOptions && closing(onOptions)}
          onFolder={onFolder && closing(onFolder)}
          {...area}
        />
      );
    }
    case "notices":
      return <NoticesOverlay {...area} />;
    case "help":
      return <HelpOverlay bindings={overlay.bindings} {...area} />;
  }
}
