/**
 * System fields in `sort` and `where`. They take precedence: a property of the same name is
 * `data.version`. Commands import this file at start-up, so it imports no schema library.
 */
export const systemFields = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
] as const;
export type SystemField = (typeof systemFields)[number];
