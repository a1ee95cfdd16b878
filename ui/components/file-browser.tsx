import { Box } from "ink";
import { sep } from "node:path";
import { useState } from "react";
import { absolutePath, splitTyped, type FolderEntry } from "../files.ts";
import { useFolder } from "../hooks/use-folder.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { listStart, moveBy, pageBy, settle } from "../list-cursor.ts";
import { fieldText, textField } from "../text-field.ts";
import { clipMiddle, fitText } from "../text-layout.ts";
import { sizeWords } from "../words.ts";
import { Overlay } from "./overlay.tsx";
import { Area, Line, Paint } from "./paint.tsx";
import { TextInput } from "./text-input.tsx";

export interface FileBrowserProps {
  readonly title: string;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  readonly columns: number;
  readonly rows: number;
  readonly onPick: (path: string) => void;
  readonly onClose: () => void;
}

const chrome = 5;

function matching(entries: readonly FolderEntry[], prefix: string): FolderEntry[] {
  const wanted = prefix.toLowerCase();
  return entries.filter((entry) => {
    if (entry.name.startsWith(".") && !prefix.startsWith(".")) return false;
    return entry.name.toLowerCase().startsWith(wanted);
  });
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
  const visible = Math.max(1, Math.min(18, rows - chrome - 1));
  const at = settle(cursor, entries.length, visible);
  const chosen = entries[at.index];
  const goTo = (next: string) => {
    setField(textField(next));
    setCursor(listStart);
  };
  const choose = () => {
    const exact = entries.find((entry) => entry.name === prefix) ?? chosen;
    if (exact === undefined) {
      // Not listed (cut off, or a hidden name): the upload itself says whether it is there.
      if (prefix !== "") onPick(absolutePath(typed, currentDirectory, homeDirectory));
    } else if (exact.kind === "folder") goTo(`${exact.path}${sep}`);
    else onPick(exact.path);
  };
  useKeys("picker", {
    up: (count) => setCursor((now) => moveBy(now, -count, entries.length, visible)),
    down: (count) => setCursor((now) => moveBy(now, count, entries.length, visible)),
    pageUp: (count) => setCursor((now) => pageBy(now, -count, entries.length, visible)),
    pageDown: (count) => setCursor((now) => pageBy(now, count, entries.length, visible)),
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
      <Box height={1} flexShrink={0}>
        <Paint as="key">{" › "}</Paint>
        <TextInput
          scope="picker"
          field={field}
          width={inner - 4}
          placeholder="a path"
          onEdit={(change) => {
            setField(change);
            setCursor(listStart);
          }}
        />
      </Box>
      <Line as="quiet"> {problem ?? clipMiddle(path, inner - 2)}</Line>
      <Area height={visible}>
        {entries.slice(at.top, at.top + visible).map((entry, offset) => (
          <Line key={entry.path} as={at.top + offset === at.index ? "selected" : "text"}>
            {entryLine(entry, inner)}
          </Line>
        ))}
        {folder !== undefined && entries.length === 0 ? (
          <Line as="quiet"> nothing here begins with these letters</Line>
        ) : null}
      </Area>
    </Overlay>
  );
}

function entryLine(entry: FolderEntry, width: number): string {
  const size = entry.kind === "folder" ? "folder" : sizeWords(entry.size);
  const name = entry.kind === "folder" ? `${entry.name}${sep}` : entry.name;
  return ` ${fitText(name, width - 12)} ${fitText(size, 9, "right")} `;
}
