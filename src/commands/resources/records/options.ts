import { textOption } from "#cli/command.ts";
import { defaultPageLimit, maximumPage, maximumPageLimit } from "#contract/limits.ts";
import { shellWord } from "#lib/shell-word.ts";

/** Arguments and options that several `resources` commands share. */

export const typeArgument = { name: "type", description: "Exact slug of the Object Type" } as const;

export const recordArguments = [
  typeArgument,
  { name: "id", description: "ID of the record" },
] as const;

export const fileArguments = [
  ...recordArguments,
  { name: "property", description: "File property of the Object Type" },
] as const;

export const whereOption = {
  type: "string",
  placeholder: "json",
  description: "Filter with MongoDB's query syntax; `-` reads stdin, `@path` a file",
} as const;

export const typesOption = textOption("slugs", "Exact slugs of Object Types, separated by commas");

/** `--page`; `excludes` are the other options that select a place in the list. */
export function pageOption(...excludes: string[]) {
  const facts = { type: "number", minimum: 1, maximum: maximumPage, default: 1 } as const;
  return { ...facts, description: "Page", excludes };
}

export function limitOption(
  description: string,
  maximum: number = maximumPageLimit,
  defaultLimit: number = defaultPageLimit,
) {
  return { type: "number", minimum: 1, maximum, default: defaultLimit, description } as const;
}

export const cursorOption = {
  type: "string",
  placeholder: "cursor",
  description: "`nextCursor` of the previous page; instead of --page",
} as const;

export function versionOption(description: string) {
  return { type: "number", minimum: 1, maximum: 2_147_483_647, description } as const;
}

export const forceOption = { type: "boolean", description: "Do not ask for confirmation" } as const;

interface Place {
  readonly page?: number;
  readonly cursor?: string | undefined;
}

/** The place of an empty page, as the end of a message; earlier pages may have items. */
export function placeWords({ page = 1, cursor }: Place): string {
  if (cursor !== undefined) return " after this cursor";
  return page > 1 ? ` on page ${page}` : "";
}

/** Whether a list goes on after this page, by any sign that deployments send. */
export function goesOn(
  list: {
    readonly items: readonly unknown[];
    readonly hasNextPage?: boolean | undefined;
    readonly nextCursor?: string | null | undefined;
    readonly total?: number | undefined;
  },
  { page = 1 }: Place,
): boolean {
  const { hasNextPage, nextCursor, items, total } = list;
  if (items.length === 0) return false;
  if (hasNextPage !== undefined) return hasNextPage;
  if (typeof nextCursor === "string" && nextCursor !== "") return true;
  return total !== undefined && page === 1 && items.length < total;
}

/** The flag that selects the next page. A page selected by its cursor has no number. */
export function nextPage(
  list: { readonly page?: number | undefined; readonly nextCursor?: string | null | undefined },
  { page = 1, cursor }: Place,
): string {
  return cursor === undefined
    ? `--page ${(list.page ?? page) + 1}`
    : `--cursor ${shellWord(list.nextCursor ?? "")}`;
}
