/** Values that commands also need, without the schema library. */

/** Kinds of rules, by the things that they watch. */
export const alertKinds = ["event", "deadline", "job", "endpoint", "quota", "feed"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Kinds of changes that a rule can watch. */
export const watchedKinds = [
  "record",
  "file",
  "document",
  "job",
  "member",
  "role",
  "object-type",
  "workspace",
  "app",
  "workflow",
  "review",
] as const;

/** Settings that a change can remove from a rule. */
export const ruleSettings = [
  ...(["kinds", "types", "operations", "where"] as const),
  ...(["property", "days", "percent"] as const),
];
export type RuleSetting = (typeof ruleSettings)[number];

export const alertStates = ["open", "acknowledged"] as const;
