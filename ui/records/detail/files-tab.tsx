import { shellKeys } from "../../shell/keys.ts";
import { useMemo } from "react";
import { savedName } from "#lib/files/saved-name.ts";
import { CursorLines } from "../../kit/text/cursor-lines.tsx";
import { useCopyCommand } from "../../shell/use-copy.ts";
import { useNotices } from "../../shell/notices.ts";
import { useRecordFiles } from "./use-record-files.ts";
import { useRole } from "../../shell/platform/use-workspaces.ts";
import { keyOffer } from "../../kit/keys/keys.ts";
import { fileFacts, filesOf, type RecordFile } from "./file-values.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText, textWidth } from "../../kit/text/text-layout.ts";
import type { RecordTabProps } from "./tab-props.ts";

const longestTitle = 24;

interface FileLine {
  readonly spans: StyledLine;
  readonly file: RecordFile;
}

/** The lines of a property and its file: title, name, facts. */
function fileLines(
  file: RecordFile,
  titleWidth: number,
  width: number,
  role: string | undefined,
): FileLine[] {
  const { stored, accept } = file;
  const room = Math.max(1, width - titleWidth - 2);
  const types = accept.length === 0 ? "" : ` It accepts ${accept.join(", ")}.`;
  const facts =
    stored === undefined
      ? [`No file yet: ${keyOffer(shellKeys.upload, "uploads one", role)}.${types}`]
      : [fileFacts(stored), ...(stored.sha256 === undefined ? [] : [`sha256 ${stored.sha256}`])];
  const rows: StyledLine[] = [
    ...(stored === undefined ? [] : textLines(stored.filename, room, "link")),
    ...facts.flatMap((fact) => textLines(fact, room, "quiet")),
  ];
  return rows.map((row, index) => ({
    file,
    spans: [
      { text: ` ${fitText(index === 0 ? file.title : "", titleWidth)}  `, as: "quiet" },
      ...row,
    ],
  }));
}

/** The files of a record, property by property. */
export function FilesTab(props: RecordTabProps & { readonly onChanged: () => void }) {
  const { type, record, area, focused, onChanged } = props;
  const copyCommand = useCopyCommand();
  const { say } = useNotices();
  const role = useRole();
  const actions = useRecordFiles(type, record, onChanged);
  const lines = useMemo(() => {
    const files = filesOf(type, record);
    const widest = Math.max(0, ...files.map(({ title }) => textWidth(title)));
    const titleWidth = Math.min(widest, longestTitle, Math.floor(area.width / 3));
    return files.flatMap((file) => fileLines(file, titleWidth, area.width - 1, role));
  }, [type, record, area.width, role]);
  const shown = useMemo(() => lines.map(({ spans }) => spans), [lines]);
  return (
    <CursorLines
      lines={shown}
      {...area}
      focused={focused}
      of={record.id}
      handlersAt={(index) => {
        const file = lines[index]?.file;
        if (file === undefined) return {};
        const { property, stored } = file;
        const upload = () => actions.upload(file);
        // The deletion key of the record must not act here.
        if (stored === undefined) {
          const sayNoFile = () => say("note", `there is no file on ${property}`);
          return { upload, delete: sayNoFile };
        }
        return {
          open: () => actions.save(file),
          saveFile: () => actions.save(file),
          upload,
          delete: () => actions.remove(file),
          copyCommand: () =>
            copyCommand.inWorkspace(["resources", "file", "get", type.slug, record.id, property], {
              output: savedName(stored.filename, "file"),
            }),
        };
      }}
    />
  );
}
