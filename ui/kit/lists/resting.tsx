import { memo, useEffect, useState, type ReactNode } from "react";
import type { ListCursor } from "../cursor/list-cursor.ts";
import type { Size } from "../panes/layout.ts";
import type { Followed } from "../state/store.ts";

/** A held key draws no details; they follow this long after the last move. */
const restMs = 100;

/** Whether the cursor has moved to another row just now. */
function useIsMoving(cursor: Followed<ListCursor>): boolean {
  const [isMoving, setMoving] = useState(false);
  useEffect(() => {
    let { index } = cursor.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => setMoving(false);
    const end = cursor.subscribe(() => {
      const now = cursor.get().index;
      if (now === index) return;
      index = now;
      setMoving(true);
      clearTimeout(timer);
      timer = setTimeout(rest, restMs);
    });
    return () => {
      end();
      clearTimeout(timer);
      rest();
    };
  }, [cursor]);
  return isMoving;
}

/** Draws the details of the row under the cursor. */
export type DrawDetail = (area: Size, focused: boolean) => ReactNode;

interface Drawn {
  readonly area: Size;
  readonly focused: boolean;
  readonly draw: DrawDetail;
}

/** Keeps what it has drawn while `isMoving`. */
const Kept = memo(
  ({ draw, area, focused }: Drawn & { readonly isMoving: boolean }) => draw(area, focused),
  (_before, { isMoving }) => isMoving,
);

/** The details of the selected row, which are drawn once its list's cursor rests. */
export function Resting(
  props: Drawn & {
    readonly cursor: Followed<ListCursor>;
    /** Whether the keys move the cursor; otherwise the details are drawn at once. */
    readonly isHeld: boolean;
  },
) {
  const { cursor, isHeld, ...drawn } = props;
  return <Kept isMoving={useIsMoving(cursor) && isHeld} {...drawn} />;
}
