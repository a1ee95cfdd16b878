/** System fields in `sort` and `where`; a property of the same name is `data.version`. */
export const systemFields = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
] as const;
export type SystemField = (typeof systemFields)[number];
