import type { ColumnQuestion } from "./questions.ts";
import { useState } from "react";
import { useKeys } from "../keys/use-keys.tsx";
import { keyName } from "../keys/key-table.ts";
import { listStart, moveTo, settle } from "../lists/list-cursor.ts";
import { movesThrough } from "../lists/list-moves.ts";
import { clipText, fitText, textWidth, wrapText } from "../text/text-layout.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, Lines, MoreBelow } from "../theme/paint.tsx";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly shown: boolean;
}

function rowsOf(question: ColumnQuestion, shown: readonly string[]): Row[] {
  const { possible } = question;
  const first = shown.flatMap((id) => possible.find((one) => one.id === id) ?? []);
  const rest = possible.filter(({ id }) => !shown.includes(id));
  return [
    ...first.map((one) => ({ ...one, shown: true })),
    ...rest.map((one) => ({ ...one, shown: false })),
  ];
}

const chrome = 2;

/** Which columns a table has, and in which order. */
export function ColumnChooser(props: DialogProps & { readonly question: ColumnQuestion }) {
  const { question, onClose } = props;
  const [rows, setRows] = useState(() => rowsOf(question, question.shown));
  const [cursor, setCursor] = useState(listStart);
  const width = Math.min(56, props.columns);
  const inner = width - 4;
  const hint = wrapText(
    `${keyName("toggle")} shows or hides, ${keyName("moveUp")} and ${keyName("moveDown")} move, ` +
      `${keyName("standard")} takes the type's own, ${keyName("submit")} keeps it`,
    inner,
  );
  const chosen = rows.filter((row) => row.shown).map((row) => row.id);
  const visible = Math.max(1, Math.min(rows.length, props.rows - chrome - hint.length - 2));
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
    ...movesThrough(setCursor, rows.length, visible),
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
  return (
    <Overlay
      title={question.title}
      columns={props.columns}
      rows={props.rows}
      width={width}
      height={visible + hint.length + 1 + chrome}
    >
      <Area height={visible + hint.length + 1}>
        {rows.slice(at.top, at.top + visible).map((row, offset) => (
          <ColumnLine
            key={row.id}
            row={row}
            selected={at.top + offset === at.index}
            width={width - chrome}
          />
        ))}
        <MoreBelow count={rows.length - at.top - visible} />
        <Lines lines={hint} as="quiet" margin={1} />
      </Area>
    </Overlay>
  );
}

function ColumnLine(props: {
  readonly row: Row;
  readonly selected: boolean;
  readonly width: number;
}) {
  const { row, selected, width } = props;
  const named = row.title === row.id.replaceAll("_", " ");
  const beside = named ? "" : clipText(row.id, Math.floor(width / 2));
  const room = width - textWidth(beside) - 2;
  const words = fitText(`${selected ? "▸" : " "}[${row.shown ? "x" : " "}] ${row.title}`, room);
  return (
    <Line as={selected ? "selected" : row.shown ? "text" : "quiet"}>
      {words} {beside}{" "}
    </Line>
  );
}
