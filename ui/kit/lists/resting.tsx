import { memo, useEffect, useState, type ReactNode } from "react";

/** A held key draws no details; this long after the last move they follow. */
const restMs = 100;

/** Whether the cursor has moved to this index just now. */
export function useIsMoving(index: number): boolean {
  const [rested, setRested] = useState(index);
  useEffect(() => {
    if (rested === index) return undefined;
    const timer = setTimeout(() => setRested(index), restMs);
    return () => clearTimeout(timer);
  }, [rested, index]);
  return rested !== index;
}

/** Keeps what it has drawn while `isMoving`. */
export const Resting = memo(
  (props: { readonly isMoving: boolean; readonly children: ReactNode }) => props.children,
  (_before, { isMoving }) => isMoving,
);
