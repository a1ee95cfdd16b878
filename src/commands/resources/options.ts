import { defaultPageLimit, maximumPage, maximumPageLimit } from "#contract/limits.ts";

/** Arguments and options that several `resources` commands take. */

export const typeArgument = {
  name: "type",
  description: "Exact slug of the Object Type",
} as const;

export const recordArguments = [
  typeArgument,
  { name: "id", description: "ID of the record" },
] as const;

export const whereOption = {
  type: "string",
  placeholder: "json",
  description: "Filter with the meaning of MongoDB's query; `-` reads stdin, `@path` a file",
} as const;

export const typesOption = {
  type: "string",
  placeholder: "slugs",
  description: "Exact slugs of Object Types, separated by commas",
} as const;

/** Which page; the options that name a place in the list another way are its `excludes`. */
export function pageOption(...excludes: string[]) {
  return {
    type: "number",
    minimum: 1,
    maximum: maximumPage,
    default: 1,
    description: "Page",
    excludes,
  } as const;
}

/** How many items a page has. */
export function limitOption(description: string) {
  return {
    type: "number",
    minimum: 1,
    maximum: maximumPageLimit,
    default: defaultPageLimit,
    description,
  } as const;
}

export const cursorOption = {
  type: "string",
  placeholder: "cursor",
  description: "`nextCursor` of the previous page; instead of --page",
} as const;

/** Where in a list nothing was found: the pages before may well have some. */
export function placeWords({
  page = 1,
  cursor,
}: {
  readonly page?: number;
  readonly cursor?: string | undefined;
}): string {
  if (cursor !== undefined) return " after this cursor";
  return page > 1 ? ` on page ${page}` : "";
}

export const forceOption = { type: "boolean", description: "Do not ask for confirmation" } as const;
