/** No schema library is imported here: commands need these names before any answer. */

/**
 * System fields that stand beside the user's own in `sort` and `where`. They come first: a property
 * of the same name is reached as `data.version`.
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
