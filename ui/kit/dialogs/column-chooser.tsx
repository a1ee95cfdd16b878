import { commonKeys } from "../keys/base-keys.ts";
import { useState } from "react";
import { keyName } from "../keys/keys.ts";
import { spokenPart } from "../spoken/spoken.ts";
import { usePart } from "../state/part.ts";
import { useKeys } from "../keys/use-keys.ts";
import { listStart, moveTo, settle, visibleRows, movesThrough } from "../cursor/list-cursor.ts";
import { clipText, fitText, textWidth, wrapText } from "../text/text-layout.ts";
import { Line, Lines } from "../theme/paint.tsx";
import { Overlay, type DialogProps, MoreBelow } from "./overlay.tsx";
import type { ColumnQuestion } from "./questions.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly shown: boolean;
}

function rowsOf({ possible }: ColumnQuestion, shown: readonly string[]): Row[] {
  const first = shown.flatMap((id) => possible.find((one) => one.id === id) ?? []);
  const rest = possible.filter(({ id }) => !shown.includes(id));
  return [
    ...first.map((one) => ({ ...one, shown: true })),
    ...rest.map((one) => ({ ...one, shown: false })),
  ];
}

const border = 2;

export function ColumnChooser(props: DialogProps & { readonly question: ColumnQuestion }) {
  const { question, onClose, ...area } = props;
  const [rows, setRows] = useState(() => rowsOf(question, question.shown));
  const [cursor, setCursor] = useState(listStart);
  const width = Math.min(56, area.columns);
  const hint = wrapText(
    `${keyName(commonKeys.toggle)} shows or hides, ${keyName(commonKeys.moveUp)} and ${keyName(commonKeys.moveDown)} move, ` +
      `${keyName(commonKeys.standard)} restores the type's own, ${keyName(commonKeys.submit)} saves`,
    width - 4,
  );
  const chosen = rows.filter((row) => row.shown).map((row) => row.id);
  const visible = Math.max(1, Math.min(rows.length, area.rows - border - hint.length - 2));
  const at = settle(cursor, rows.length, visible);
  const move = (by: number) => {
    const to = Math.max(0, Math.min(at.index + by, rows.length - 1));
    setRows((now) => {
      const row = now[at.index];
      return row === undefined ? now : now.toSpliced(at.index, 1).toSpliced(to, 0, row);
    });
    setCursor(moveTo(at, to, rows.length, visible));
  };
  useKeys("columns", {
    ...movesThrough(setCursor, () => ({ count: rows.length, rows: visible })),
    toggle: (count) => {
      if (count % 2 === 0) return;
      setRows((now) =>
        now.map((row, index) => (index === at.index ? { ...row, shown: !row.shown } : row)),
      );
    },
    moveUp: (count) => move(-count),
    moveDown: (count) => move(count),
    standard: () => setRows(rowsOf(question, question.standard)),
    submit: () => {
      onClose();
      const isStandard = chosen.join(" ") === question.standard.join(" ");
      question.onKeep(chosen.length === 0 || isStandard ? undefined : chosen);
    },
    cancel: onClose,
  });
  const height = visible + hint.length + 1 + border;
  return (
    <Overlay {...area} title={question.title} width={width} height={height}>
      {visibleRows(rows, at, visible).map(({ row, isSelected }) => (
        <ColumnLine key={row.id} row={row} selected={isSelected} width={width - border} />
      ))}
      <MoreBelow count={rows.length - at.top - visible} />
      <Lines lines={hint} as="quiet" margin={1} />
    </Overlay>
  );
}

function ColumnLine(props: {
  readonly row: Row;
  readonly selected: boolean;
  readonly width: number;
}) {
  const { row, selected, width } = props;
  const isSpoken = usePart(spokenPart).isSpoken;
  const sign = selected ? (isSpoken ? "selected " : "▸") : " ";
  const isNamedById = row.title === row.id.replaceAll("_", " ");
  const note = isNamedById ? "" : clipText(row.id, Math.floor(width / 2));
  const room = width - textWidth(note) - 2;
  const words = fitText(`${sign}[${row.shown ? "x" : " "}] ${row.title}`, room);
  return (
    <Line as={selected ? "selected" : row.shown ? "text" : "quiet"}>
      {words} {note}{" "}
    </Line>
  );
}
