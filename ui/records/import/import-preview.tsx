import type { JsonObject } from "#client/index.ts";
import { cellText } from "#lib/text/terminal.ts";
import { Waiting } from "../../kit/panes/waiting.tsx";
import { clipText, fitText } from "../../kit/text/text-layout.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import type { Span, StyledLine } from "../../kit/text/styled-lines.ts";
import { Area, Line } from "../../kit/theme/paint.tsx";
import type { OpenedImport, PreviewedRow } from "../../surface.ts";
import { importSettings } from "./import-fields.ts";
import { useImportPreview } from "./use-import-preview.ts";

const rowWidth = 6;
const outcomeWidth = 11;
const widestCell = 24;
const outcomes = { create: "✓ create", update: "✓ change", rejected: "✗ reject" } as const;

/** Lines of the preview: the heading, then one for each row; a rejected row has its reasons. */
export function previewLines(rows: readonly PreviewedRow[], width: number): StyledLine[] {
  const names = [...new Set(rows.flatMap(({ data }) => Object.keys(data)))];
  const room = width - rowWidth - outcomeWidth;
  const cellWidth = Math.min(widestCell, Math.max(8, Math.floor(room / Math.max(1, names.length))));
  const cells = (texts: readonly string[]): string =>
    clipText(texts.map((text) => fitText(cellText(text), cellWidth - 1)).join(" "), room);
  const heading: Span = {
    text: `${fitText("row", rowWidth - 1, "right")} ${fitText("", outcomeWidth)}${cells(names)}`,
    as: "quiet",
  };
  return [
    [heading],
    ...rows.map(({ row, outcome, reasons, data }): StyledLine => {
      const isRejected = outcome === "rejected";
      return [
        { text: `${fitText(String(row), rowWidth - 1, "right")} ` },
        { text: fitText(outcomes[outcome], outcomeWidth), as: isRejected ? "bad" : "good" },
        isRejected
          ? { text: clipText(cellText(reasons.join("; ")), room), as: "bad" }
          : { text: cells(names.map((name) => valueText(data[name]))) },
      ];
    }),
  ];
}

function valueText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The first rows with their outcomes by the present form. */
export function ImportPreview(props: {
  readonly opened: OpenedImport;
  readonly data: JsonObject;
  readonly width: number;
  readonly height: number;
}) {
  const { opened, data, width, height } = props;
  const { rows, problem } = useImportPreview(opened, importSettings(opened.columns, data));
  const title = ` ${opened.words} · the first rows`;
  return (
    <Area height={height}>
      <Line as="quiet">{fitText(title, width)}</Line>
      {problem === undefined ? null : (
        <Line as="bad">{clipText(` ✗ ${cellText(problem)}`, width)}</Line>
      )}
      {rows === undefined && problem === undefined ? (
        <Waiting words="trying the first rows" />
      ) : (
        <TextLines
          lines={problem === undefined ? previewLines(rows ?? [], width - 1) : []}
          top={0}
          width={width}
          height={height - (problem === undefined ? 1 : 2)}
        />
      )}
    </Area>
  );
}
