import { useMemo, useState } from "react";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { useKeys } from "../keys/use-keys.ts";
import { fuzzyFind } from "../lists/fuzzy.ts";
import { visibleRows } from "../cursor/list-cursor.ts";
import { positionStart, useRowCursor, wholeRows } from "../cursor/row-cursor.ts";
import { Store, useStore } from "../state/store.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { Area, Line, Paint } from "../theme/paint.tsx";
import { Overlay, type DialogProps, MoreBelow } from "./overlay.tsx";
import type { Choice } from "./questions.ts";

/** The border, the field, and the line below the choices. */
const otherRows = 4;
const keyOf = ({ id }: Choice) => id;

/** A typed pattern, with the cursor at its best choice. */
function startWith(field: TextField) {
  return { field, position: new Store(positionStart) };
}

export function ChoiceDialog(
  props: DialogProps & {
    readonly title: string;
    readonly placeholder: string;
    readonly choices: readonly Choice[];
  },
) {
  const { title, choices, placeholder, onClose, ...area } = props;
  const [{ field, position }, setTyped] = useState(() => startWith(textField()));
  const pattern = fieldText(field);
  const found = useMemo(
    () => fuzzyFind(choices, pattern, (choice) => choice.words),
    [choices, pattern],
  );
  const width = Math.min(72, area.columns);
  const visible = Math.max(1, Math.min(found.length, area.rows - otherRows - 2, 16));
  const rows = useMemo(() => wholeRows(found, keyOf), [found]);
  const cursor = useRowCursor<Choice>(rows, position, visible);
  const at = useStore(cursor);
  const chosen = found[at.index];
  const edit = (change: (now: TextField) => TextField) =>
    setTyped((now) => startWith(change(now.field)));
  useKeys("picker", {
    ...cursor.moves,
    complete: chosen === undefined ? undefined : () => edit(() => textField(chosen.words)),
    choose: () => {
      if (chosen === undefined || chosen.reason !== undefined) return;
      onClose();
      chosen.choose();
    },
    close: onClose,
  });
  const inner = width - 2;
  return (
    <Overlay {...area} title={title} width={width} height={visible + otherRows}>
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder={placeholder}
        onEdit={edit}
      />
      <Area height={visible + 1}>
        {visibleRows(found, at, visible).map(({ row, isSelected }) => (
          <ChoiceLine key={row.id} choice={row} selected={isSelected} width={inner} />
        ))}
        {found.length === 0 ? (
          <Line as="quiet"> no choice has these letters</Line>
        ) : (
          <MoreBelow count={found.length - at.top - visible} />
        )}
      </Area>
    </Overlay>
  );
}

function ChoiceLine(props: {
  readonly choice: Choice;
  readonly selected: boolean;
  readonly width: number;
}) {
  const { choice, selected, width } = props;
  const note = choice.reason ?? choice.note ?? "";
  // A choice that leaves room gives it to a longer note.
  const free = width - 4 - textWidth(choice.words);
  const noteWidth = Math.min(textWidth(note), Math.max(Math.floor(width / 2), free));
  const words = fitText(`${selected ? "▸" : " "} ${choice.words}`, width - noteWidth - 2);
  const right = ` ${fitText(note, noteWidth)} `;
  if (selected) return <Line as="selected">{words + right}</Line>;
  return (
    <Line>
      <Paint as={choice.reason === undefined ? "text" : "quiet"}>{words}</Paint>
      <Paint as="quiet">{right}</Paint>
    </Line>
  );
}
