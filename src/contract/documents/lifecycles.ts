/** Commands import this file at start-up, so it imports no schema library. */

/** The server chooses one by the stored classifier binding (spec 2.8). */
export const documentLifecycles = [
  "planning-assist-v1",
  "planning-assess-v1",
  "business-document-v1",
] as const;
export type DocumentLifecycle = (typeof documentLifecycles)[number];
