/** The groups of parts that a request of an archive can select. */
export const archiveGroups = [
  "types",
  "records",
  "documents",
  "understanding",
  "members",
  "webhooks",
  "alerts",
  "geo",
  "audit",
] as const;
export type ArchiveGroup = (typeof archiveGroups)[number];

/** How long an archive is kept for its download. */
export const archiveHours = 24;

/** The largest archive in bytes, as its file is packed. */
export const maximumArchiveBytes = 64 * 1024 ** 3;
