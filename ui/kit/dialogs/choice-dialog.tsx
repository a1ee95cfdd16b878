import { useEffect, useMemo, useState } from "react";
import { failureOf, failureReason, isAbort } from "../answers/failure.ts";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { rowNumber, spokenPart } from "../spoken/spoken.ts";
import { usePart } from "../state/part.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { useKeys } from "../keys/use-keys.ts";
import { fuzzyFind } from "../lists/fuzzy.ts";
import { visibleRows, type ListCursor } from "../cursor/list-cursor.ts";
import { positionStart, useRowCursor, wholeRows } from "../cursor/row-cursor.ts";
import { useMouse, useRowClick } from "../mouse/mouse.ts";
import { Store, useStore } from "../state/store.ts";
import { fitText, textWidth } from "../text/text-layout.ts";
import { Area, Line, Paint } from "../theme/paint.tsx";
import { Overlay, type DialogProps, MoreBelow } from "./overlay.tsx";
import type { Choice, LoadChoices } from "./questions.ts";

/** The border, the field, and the line below the choices. */
const otherRows = 4;
const keyOf = ({ id }: Choice) => id;
const placeOf = (_: Choice, index: number) => String(index);

/** A typed pattern, with the cursor at its best choice, or at the choice with this index. */
function startWith(field: TextField, index = 0) {
  const cursor = { index, top: 0 };
  return { field, position: new Store({ ...positionStart, cursor }), isMoved: false };
}

/** The index of the choice in effect; 0 where none or several are, which are taken one by one. */
export function currentIndex(choices: readonly Choice[]): number {
  const [only, ...others] = choices.filter(({ isCurrent }) => isCurrent === true);
  return only === undefined || others.length > 0 ? 0 : choices.indexOf(only);
}

/** The handlers, each of which then calls `next`. */
function afterEach(handlers: KeyHandlers, next: () => void): KeyHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([intent, handle]) => [
      intent,
      (count: number) => {
        handle?.(count);
        next();
      },
    ]),
  );
}

/**
 * The cursor of the found choices. Others may come before them: until a key moves it, the best one
 * stays selected.
 */
function useChoiceCursor(
  found: readonly Choice[],
  { position, isMoved }: Omit<ReturnType<typeof startWith>, "field">,
  { visible, moved }: { readonly visible: number; readonly moved: () => void },
) {
  const rows = useMemo(() => wholeRows(found, isMoved ? keyOf : placeOf), [found, isMoved]);
  const cursor = useRowCursor<Choice>(rows, position, visible);
  const click = useRowClick(cursor);
  const node = useMouse({
    scope: "picker",
    opens: true,
    press: (_, y) => {
      moved();
      return click(y);
    },
  });
  return { at: useStore(cursor), moves: afterEach(cursor.moves, moved), node };
}

const noChoices: readonly Choice[] = [];
const useNothing = () => noChoices;

/** Choices and those that load after them, the next ones while `isNear` their end. */
function useMoreChoices(first: readonly Choice[], more: LoadChoices | undefined) {
  const [page, setPage] = useState({ added: noChoices, more, failure: "" });
  const choices = useMemo(() => [...first, ...page.added], [first, page.added]);
  const useLoading = (isNear: boolean) => {
    const load = isNear ? page.more : undefined;
    useEffect(() => {
      if (load === undefined) return undefined;
      const aborter = new AbortController();
      load(aborter.signal).then(
        (next) =>
          setPage(({ added }) => ({
            added: [...added, ...next.choices],
            more: next.more,
            failure: "",
          })),
        (error: unknown) => {
          if (isAbort(error)) return;
          const failure = failureReason(failureOf(error));
          setPage(({ added }) => ({ added, more: undefined, failure }));
        },
      );
      return () => aborter.abort();
    }, [load]);
  };
  return { choices, useLoading, failure: page.failure, hasMore: page.more !== undefined };
}

export function ChoiceDialog(
  props: DialogProps & {
    readonly title: string;
    readonly placeholder: string;
    readonly choices: readonly Choice[];
    readonly more?: LoadChoices | undefined;
    /** The index of the choice at which the cursor starts. */
    readonly startAt?: number;
    /** A hook: what the typed pattern finds elsewhere, after the choices that it matches. */
    readonly useFinds?: (pattern: string) => readonly Choice[];
    /** A hook: what the typed pattern stands for, before all others. */
    readonly useFirst?: (pattern: string) => readonly Choice[];
    /** Gets the reason of a choice that can't be chosen. */
    readonly onRefused?: (words: string) => void;
  },
) {
  const { title, placeholder, onClose, choices: given, more, onRefused, ...area } = props;
  const { useFinds = useNothing, useFirst = useNothing, startAt } = props;
  const { choices, hasMore, failure, useLoading } = useMoreChoices(given, more);
  const [typed, setTyped] = useState(() => startWith(textField(), startAt));
  const { field } = typed;
  const pattern = fieldText(field);
  const first = useFirst(pattern);
  const finds = useFinds(pattern);
  const found = useMemo(
    () => [...first, ...fuzzyFind(choices, pattern, ({ words }) => words), ...finds],
    [first, choices, pattern, finds],
  );
  const width = Math.min(72, area.columns);
  const visible = Math.max(1, Math.min(found.length, area.rows - otherRows - 2, 16));
  const moved = () => setTyped((now) => (now.isMoved ? now : { ...now, isMoved: true }));
  const { at, moves, node } = useChoiceCursor(found, typed, { visible, moved });
  const chosen = found[at.index];
  useLoading(at.index >= found.length - visible);
  const edit = (change: (now: TextField) => TextField) =>
    setTyped((now) => startWith(change(now.field)));
  useKeys("picker", {
    ...moves,
    complete: chosen === undefined ? undefined : () => edit(() => textField(chosen.words)),
    choose: () => {
      if (chosen === undefined) return;
      if (chosen.reason !== undefined) return onRefused?.(`${chosen.words}: ${chosen.reason}`);
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
      <Area height={visible + 1} node={node}>
        <ChoiceLines found={found} at={at} visible={visible} width={inner} />
        {found.length === 0 && !hasMore ? (
          <Line as="quiet"> no choice has these letters</Line>
        ) : failure === "" ? (
          <MoreBelow count={found.length - at.top - visible} />
        ) : (
          <Line as="bad">{fitText(` ✗ more could not be loaded: ${failure}`, inner)}</Line>
        )}
      </Area>
    </Overlay>
  );
}

function ChoiceLines(props: {
  readonly found: readonly Choice[];
  readonly at: ListCursor;
  readonly visible: number;
  readonly width: number;
}) {
  const { found, at, visible, width } = props;
  return visibleRows(found, at, visible).map(({ row, isSelected }, offset) => (
    <ChoiceLine
      key={row.id}
      choice={row}
      index={at.top + offset}
      selected={isSelected}
      width={width}
    />
  ));
}

function ChoiceLine(props: {
  readonly choice: Choice;
  readonly index: number;
  readonly selected: boolean;
  readonly width: number;
}) {
  const { choice, index, selected, width } = props;
  const isSpoken = usePart(spokenPart).isSpoken;
  const note = choice.reason ?? choice.note ?? "";
  // A choice that leaves room gives it to a longer note.
  const free = width - 6 - textWidth(choice.words);
  const noteWidth = Math.min(textWidth(note), Math.max(Math.floor(width / 2), free));
  const current = choice.isCurrent === true ? "✓ " : "";
  const sign = isSpoken ? rowNumber(index, { selected }) : selected ? "▸ " : "  ";
  const label = `${sign}${current}${choice.words}`;
  const words = fitText(label, width - noteWidth - 2);
  const right = ` ${fitText(note, noteWidth)} `;
  if (selected) return <Line as="selected">{words + right}</Line>;
  return (
    <Line>
      <Paint as={choice.reason === undefined ? "text" : "quiet"}>{words}</Paint>
      <Paint as="quiet">{right}</Paint>
    </Line>
  );
}
