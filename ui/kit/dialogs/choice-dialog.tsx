import type { Choice } from "./questions.ts";
import { Text } from "ink";
import { useState } from "react";
import { fuzzyFind } from "../lists/fuzzy.ts";
import { useKeys } from "../keys/use-keys.tsx";
import { listStart, settle } from "../lists/list-cursor.ts";
import { movesThrough } from "../lists/list-moves.ts";
import { fieldText, textField } from "../input/text-field.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, MoreBelow, Paint } from "../theme/paint.tsx";
import { PromptField } from "../input/prompt-field.tsx";

export interface ChoiceDialogProps extends DialogProps {
  readonly title: string;
  readonly placeholder: string;
  readonly choices: readonly Choice[];
}

const chrome = 4;

/** Choosing by typing a few letters of it. */
export function ChoiceDialog(props: ChoiceDialogProps) {
  const { title, choices, columns, rows, onClose } = props;
  const [field, setField] = useState(() => textField());
  const [cursor, setCursor] = useState(listStart);
  const found = fuzzyFind(choices, fieldText(field), (choice) => choice.words);
  const width = Math.min(72, columns);
  const visible = Math.max(1, Math.min(found.length, rows - chrome - 2, 16));
  const at = settle(cursor, found.length, visible);
  const chosen = found[at.index];
  useKeys("picker", {
    ...movesThrough(setCursor, found.length, visible),
    complete:
      chosen === undefined
        ? undefined
        : () => {
            setField(textField(chosen.words));
            setCursor(listStart);
          },
    choose: () => {
      if (chosen === undefined || chosen.reason !== undefined) return;
      onClose();
      chosen.choose();
    },
    close: onClose,
  });
  const inner = width - 2;
  return (
    <Overlay title={title} columns={columns} rows={rows} width={width} height={visible + chrome}>
      <PromptField
        scope="picker"
        field={field}
        width={inner - 4}
        placeholder={props.placeholder}
        onEdit={(change) => {
          setField(change);
          setCursor(listStart);
        }}
      />
      <Area height={visible + 1}>
        {found.length === 0 ? <Line as="quiet"> nothing has these letters</Line> : null}
        {found.slice(at.top, at.top + visible).map((choice, offset) => (
          <ChoiceLine
            key={choice.id}
            choice={choice}
            selected={at.top + offset === at.index}
            width={inner}
          />
        ))}
        {found.length === 0 ? null : <MoreBelow count={found.length - at.top - visible} />}
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
  const beside = choice.reason ?? choice.beside ?? "";
  const besideWidth = Math.min(textWidth(beside), Math.floor(width / 2));
  const words = fitText(`${selected ? "▸" : " "} ${choice.words}`, width - besideWidth - 2);
  const right = ` ${fitText(beside, besideWidth)} `;
  if (selected) return <Line as="selected">{words + right}</Line>;
  return (
    <Text wrap="truncate-end">
      <Paint as={choice.reason === undefined ? "text" : "quiet"}>{words}</Paint>
      <Paint as="quiet">{right}</Paint>
    </Text>
  );
}
