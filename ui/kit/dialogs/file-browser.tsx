import { sep } from "node:path";
import { useEffect, useState } from "react";
import {
  absolutePath,
  maximumEntries,
  readFolder,
  splitTyped,
  startedAnew,
  type Folder,
  type FolderEntry,
} from "../files/files.ts";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { numberWidth, rowNumber, spokenPart } from "../spoken/spoken.ts";
import { usePart } from "../state/part.ts";
import { commonKeys } from "../keys/base-keys.ts";
import { keyName } from "../keys/keys.ts";
import { useKeys } from "../keys/use-keys.ts";
import {
  listStart,
  settle,
  visibleRows,
  movesThrough,
  type ListCursor,
} from "../cursor/list-cursor.ts";
import { clipMiddle, clipText, fitText, textWidth } from "../text/text-layout.ts";
import { countWords, sizeWords } from "../text/words.ts";
import { Area, Line } from "../theme/paint.tsx";
import { Overlay, type DialogProps, MoreBelow } from "./overlay.tsx";

interface FolderState {
  readonly path: string;
  readonly folder: Folder | undefined;
  /** The reason as text, e.g. `No such folder`. */
  readonly problem: string | undefined;
}

function problemWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no such folder";
  if (code === "EACCES" || code === "EPERM") return "This folder may not be read";
  if (code === "ENOTDIR") return "That is not a folder";
  return "This folder can't be read";
}

/** The entries of a folder on the user's disk; read again when the path changes. */
function useFolder(path: string): FolderState {
  const [state, setState] = useState<FolderState>({ path, folder: undefined, problem: undefined });
  useEffect(() => {
    let left = false;
    readFolder(path).then(
      (folder) => left || setState({ path, folder, problem: undefined }),
      (error: unknown) =>
        left || setState({ path, folder: undefined, problem: problemWords(error) }),
    );
    return () => {
      left = true;
    };
  }, [path]);
  return state.path === path ? state : { path, folder: undefined, problem: undefined };
}

/** The border, the field, the folder, and the lines below the entries. */
const otherRows = 6;

function matching(entries: readonly FolderEntry[], prefix: string): FolderEntry[] {
  const start = prefix.toLowerCase();
  return entries.filter(({ name }) => {
    if (name.startsWith(".") && !prefix.startsWith(".")) return false;
    return name.toLowerCase().startsWith(start);
  });
}

/** A whole path that is typed at the end of another one replaces it. */
function withNewPath(field: TextField): TextField {
  if (field.cursor < field.graphemes.length) return field;
  const typed = fieldText(field);
  const path = startedAnew(typed);
  return path === typed ? field : textField(path);
}

/** The effect of picking a file, and the key that asks for another one. */
function PickNote(props: {
  readonly note: string | undefined;
  readonly hasOptions: boolean;
  readonly width: number;
}) {
  const { note = "", hasOptions, width } = props;
  const hint = hasOptions ? `  ${keyName(commonKeys.otherWay)} asks for it` : "";
  return <Line as="quiet">{` ${clipText(note, width - textWidth(hint) - 2)}${hint}`}</Line>;
}

const pathOf = ({ kind, path }: FolderEntry) => (kind === "folder" ? `${path}${sep}` : path);

interface FileBrowserProps extends DialogProps {
  readonly title: string;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  readonly onPick: (path: string) => void;
  /** The effect of a pick, and a pick after which it can be changed. */
  readonly note?: string | undefined;
  readonly onOptions?: ((path: string) => void) | undefined;
  /** Picks a folder with all that is in it. */
  readonly onFolder?: ((path: string) => void) | undefined;
}

/** Picks a file: by walking through folders, or by typing or pasting its path. */
export function FileBrowser(props: FileBrowserProps) {
  const { title, currentDirectory, homeDirectory, onPick, onOptions, onFolder, note, onClose } =
    props;
  const area = { columns: props.columns, rows: props.rows };
  const [field, setField] = useState(() => textField(`${currentDirectory}${sep}`));
  const [cursor, setCursor] = useState(listStart);
  const typed = fieldText(field);
  const { folder: path, prefix } = splitTyped(typed, currentDirectory, homeDirectory);
  const { folder, problem } = useFolder(path);
  const entries = matching(folder?.entries ?? [], prefix);
  const width = Math.min(86, area.columns);
  const visible = Math.max(1, Math.min(18, area.rows - otherRows));
  const at = settle(cursor, entries.length, visible);
  const chosen = entries[at.index];
  const edit = (change: (now: TextField) => TextField) => {
    setField(change);
    setCursor(listStart);
  };
  const pick = (take: (path: string) => void) => {
    const entry = entries.find(({ name }) => name === prefix) ?? chosen;
    if (entry === undefined) {
      // The folder may still load or be cut off: the caller checks whether the file exists.
      const isListed = problem !== undefined || folder?.cut === false;
      if (prefix !== "" && !isListed) take(absolutePath(typed, currentDirectory, homeDirectory));
    } else if (entry.kind === "folder") edit(() => textField(pathOf(entry)));
    else take(entry.path);
  };
  useKeys("picker", {
    ...movesThrough(setCursor, () => ({ count: entries.length, rows: visible })),
    complete: chosen === undefined ? undefined : () => edit(() => textField(pathOf(chosen))),
    choose: () => pick(onPick),
    otherWay: onOptions && (() => pick(onOptions)),
    wholeFolder: onFolder && (() => onFolder(chosen?.kind === "folder" ? chosen.path : path)),
    close: onClose,
  });
  const inner = width - 2;
  return (
    <Overlay {...area} title={title} width={width} height={visible + otherRows}>
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder="a path"
        onEdit={(change) => edit((now) => withNewPath(change(now)))}
      />
      <Line as={problem === undefined ? "quiet" : "warn"}>
        {" "}
        {problem ?? folderWords(path, folder, inner - 2)}
      </Line>
      <Area height={visible}>
        <EntryLines entries={entries} at={at} visible={visible} width={inner} />
        {folder !== undefined && entries.length === 0 ? (
          <Line as="quiet">
            {prefix === "" ? " this folder is empty" : " there is no such file here"}
          </Line>
        ) : null}
      </Area>
      <PickNote note={note} hasOptions={onOptions !== undefined} width={inner} />
      <MoreBelow count={entries.length - at.top - visible} />
    </Overlay>
  );
}

function EntryLines(props: {
  readonly entries: readonly FolderEntry[];
  readonly at: ListCursor;
  readonly visible: number;
  readonly width: number;
}) {
  const { entries, at, visible, width } = props;
  const isSpoken = usePart(spokenPart).isSpoken;
  return visibleRows(entries, at, visible).map(({ row, isSelected }, offset) => (
    <Line key={row.path} as={isSelected ? "selected" : "text"}>
      {isSpoken ? rowNumber(at.top + offset, { selected: isSelected }) : ""}
      {entryLine(row, isSelected, isSpoken ? width - numberWidth : width)}
    </Line>
  ));
}

/** The folder's path; a very large folder also has a note, since it is not read to its end. */
function folderWords(path: string, folder: Folder | undefined, width: number): string {
  if (folder?.cut !== true) return clipMiddle(path, width);
  const words = `  the first ${countWords(maximumEntries)} entries; type the name of another`;
  return clipMiddle(path, Math.max(8, width - textWidth(words))) + words;
}

function entryLine(entry: FolderEntry, isSelected: boolean, width: number): string {
  const isFolder = entry.kind === "folder";
  const name = isFolder ? `${entry.name}${sep}` : entry.name;
  const left = fitText(`${isSelected ? "▸" : " "} ${name}`, width - 11);
  return `${left} ${fitText(isFolder ? "folder" : sizeWords(entry.size), 9, "right")} `;
}
