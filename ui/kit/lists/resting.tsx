import { memo, useEffect, useState, type ReactNode } from "react";
import type { ListCursor } from "../cursor/list-cursor.ts";
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

/** Keeps what it has drawn while `isMoving`. */
const Kept = memo(
  ({ draw }: { readonly isMoving: boolean; readonly draw: () => ReactNode }) => draw(),
  (_before, { isMoving }) => isMoving,
);

/** The details of the selected row, which are drawn once its list's cursor rests. */
export function Resting(props: {
  readonly cursor: Followed<ListCursor>;
  /** Whether the keys move the cursor; otherwise the details are drawn at once. */
  readonly isHeld: boolean;
  readonly draw: () => ReactNode;
}) {
  const { cursor, isHeld, draw } = props;
  return <Kept isMoving={useIsMoving(cursor) && isHeld} draw={draw} />;
}
