/** Commands import this file at start-up, so it imports no schema library. */

/** The states of a received call. */
export const receivedStates = ["waiting", "done", "skipped", "failed"] as const;
export type ReceivedState = (typeof receivedStates)[number];
