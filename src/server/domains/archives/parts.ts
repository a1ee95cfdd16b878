/** The part with the files of records. */
export const filePart = "record-files";

/** The part with the records of a type. */
export function recordPart(slug: string): string {
  return `records/${slug}`;
}
