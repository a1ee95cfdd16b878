import { sep } from "node:path";
import { useState } from "react";
import {
  absolutePath,
  maximumEntries,
  splitTyped,
  startedAnew,
  type Folder,
  type FolderEntry,
} from "../files/files.ts";
import { useFolder } from "./use-folder.ts";
import { useKeys } from "../keys/use-keys.tsx";
import { listStart, settle } from "../lists/list-cursor.ts";
import { movesThrough } from "../lists/list-moves.ts";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { clipMiddle, fitText, textWidth } from "../text/text-layout.ts";
import { countWords, sizeWords } from "../text/words.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, MoreBelow } from "../theme/paint.tsx";
import { PromptField } from "../input/prompt-field.tsx";

export interface FileBrowserProps extends DialogProps {
  readonly title: string;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  readonly onPick: (path: string) => void;
}

const chrome = 5;

function matching(entries: readonly FolderEntry[], prefix: string): FolderEntry[] {
  const wanted = prefix.toLowerCase();
  return entries.filter((entry) => {
    if (entry.name.startsWith(".") && !prefix.startsWith(".")) return false;
    return entry.name.toLowerCase().startsWith(wanted);
  });
}

/** Where the cursor stands at the end, a whole path typed there is the path. */
function atEnd(field: TextField): TextField {
  if (field.cursor < field.graphemes.length) return field;
  const typed = fieldText(field);
  const path = startedAnew(typed);
  return path === typed ? field : textField(path);
}

/** Picking a file: by walking through folders, or by typing or pasting its path. */
export function FileBrowser(props: FileBrowserProps) {
  const { currentDirectory, homeDirectory, columns, rows, onPick, onClose } = props;
  const [field, setField] = useState(() => textField(`${currentDirectory}${sep}`));
  const [cursor, setCursor] = useState(listStart);
  const typed = fieldText(field);
  const { folder: path, prefix } = splitTyped(typed, currentDirectory, homeDirectory);
  const { folder, problem } = useFolder(path);
  const entries = matching(folder?.entries ?? [], prefix);
  const width = Math.min(86, columns);
  const visible = Math.max(1, Math.min(18, rows - chrome));
  const at = settle(cursor, entries.length, visible);
  const chosen = entries[at.index];
  const goTo = (next: string) => {
    setField(textField(next));
    setCursor(listStart);
  };
  const choose = () => {
    const exact = entries.find((entry) => entry.name === prefix) ?? chosen;
    if (exact === undefined) {
      // Not listed yet, or cut off: whoever takes the path looks whether it is there.
      const isListed = problem !== undefined || folder?.cut === false;
      if (prefix !== "" && !isListed) onPick(absolutePath(typed, currentDirectory, homeDirectory));
    } else if (exact.kind === "folder") goTo(`${exact.path}${sep}`);
    else onPick(exact.path);
  };
  useKeys("picker", {
    ...movesThrough(setCursor, entries.length, visible),
    complete:
      chosen === undefined
        ? undefined
        : () => goTo(chosen.kind === "folder" ? `${chosen.path}${sep}` : chosen.path),
    choose,
    close: onClose,
  });
  const inner = width - 2;
  return (
    <Overlay
      title={props.title}
      columns={columns}
      rows={rows}
      width={width}
      height={visible + chrome}
    >
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder="a path"
        onEdit={(change) => {
          setField((now) => atEnd(change(now)));
          setCursor(listStart);
        }}
      />
      <Line as={problem === undefined ? "quiet" : "warn"}>
        {" "}
        {problem ?? folderWords(path, folder, inner - 2)}
      </Line>
      <Area height={visible}>
        {entries.slice(at.top, at.top + visible).map((entry, offset) => {
          const isSelected = at.top + offset === at.index;
          return (
            <Line key={entry.path} as={isSelected ? "selected" : "text"}>
              {entryLine(entry, isSelected, inner)}
            </Line>
          );
        })}
        {folder !== undefined && entries.length === 0 ? (
          <Line as="quiet">
            {prefix === "" ? " this folder is empty" : " there is no such file here"}
          </Line>
        ) : null}
      </Area>
      <MoreBelow count={entries.length - at.top - visible} />
    </Overlay>
  );
}

/** The folder; a very large one is not read to its end. */
function folderWords(path: string, folder: Folder | undefined, width: number): string {
  if (folder?.cut !== true) return clipMiddle(path, width);
  const words = `  the first ${countWords(maximumEntries)} entries; type the name of another`;
  return clipMiddle(path, Math.max(8, width - textWidth(words))) + words;
}

function entryLine(entry: FolderEntry, isSelected: boolean, width: number): string {
  const size = entry.kind === "folder" ? "folder" : sizeWords(entry.size);
  const name = entry.kind === "folder" ? `${entry.name}${sep}` : entry.name;
  const left = fitText(`${isSelected ? "▸" : " "} ${name}`, width - 11);
  return `${left} ${fitText(size, 9, "right")} `;
}
