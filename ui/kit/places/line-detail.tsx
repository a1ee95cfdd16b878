import { useMemo, type ReactElement } from "react";
import type { Failure } from "../answers/failure.ts";
import { useAgeTime } from "../keys/use-keys.ts";
import { lostWords, type Opened } from "../lists/use-opened-row.ts";
import { DetailPane } from "../panes/detail-pane.tsx";
import type { Size } from "../panes/layout.ts";
import type { StyledLine } from "../text/styled-lines.ts";

/** A value that the details of a row show in addition to the row. */
export interface Further<Value> {
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
}

interface Drawn<Value> extends Further<Value> {
  readonly width: number;
  readonly nowMs: number;
}

interface LineDetail<Row, Value, Props> {
  /** The kind of row, which names its tab. */
  readonly kind: string;
  readonly title: (row: Row, props: Props) => string;
  readonly keyOf: (row: Row) => string;
  readonly lines: (row: Row, drawn: Drawn<Value>) => readonly StyledLine[];
  /** A hook: the value that the details need in addition to the row. */
  readonly useFurther?: (row: Row | undefined) => Further<Value>;
}

interface Shown<Row, Props> {
  /** The props of the place. */
  readonly props: Props;
  readonly shown: Opened<Row>;
  readonly filter: { readonly text: string };
  readonly area: Size;
  readonly focused: boolean;
}

const nothingFurther: Further<never> = { value: undefined, failure: undefined };
const useNothing = (): Further<never> => nothingFurther;

/** The details of a list's row as lines of text. */
export function lineDetail<Row, Value = never, Props = unknown>(
  detail: LineDetail<Row, Value, Props>,
): (props: Shown<Row, Props>) => ReactElement {
  const { kind, title, keyOf, lines, useFurther = useNothing } = detail;
  return function LinesOfRow({ props, shown, filter, area, focused }) {
    const { row, isLost } = shown;
    const further = useFurther(row);
    const { value, failure } = further;
    const nowMs = useAgeTime(value ?? row);
    const views = useMemo(
      () => ({
        [kind]: (one: Row, width: number) => [
          ...lines(one, { width, nowMs, value, failure }),
          ...(failure === undefined ? [] : [[], failureSpan(failure)]),
        ],
      }),
      [nowMs, value, failure],
    );
    return (
      <DetailPane<Row>
        area={area}
        focused={focused}
        kind={kind}
        title={row === undefined ? "details" : title(row, props)}
        caution={isLost ? lostWords(filter.text) : undefined}
        item={row}
        keyOf={keyOf}
        views={views}
      />
    );
  };
}

function failureSpan(failure: Failure): StyledLine {
  return [{ text: failure.message, as: "warn" }];
}
