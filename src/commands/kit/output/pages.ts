import { shown } from "#cli/shown.ts";
import type { OptionDefinition, StringOption } from "#cli/command.ts";
import type { Output } from "#cli/output/output.ts";
import type { Column } from "#cli/output/table.ts";
import { defaultPageLimit, maximumPage, maximumPageLimit } from "#contract/limits.ts";
import { counted } from "#lib/text/counted.ts";
import { shellWord } from "#lib/text/shell-word.ts";

/** A list that a command shows page by page, and the options that select a page of it. */
export interface Pages {
  /** The items of the pages, e.g. `Members`. */
  readonly of: string;
  /** Default of the option `--limit`. */
  readonly limit?: number;
  /** Default of the option `--sort`. */
  readonly sort?: string;
  readonly sortWords?: string;
  /** Adds the option `--where` for filters. */
  readonly where?: true;
  /** Description of the option `--all`. */
  readonly all?: string;
  /** Description of the option `--count`. */
  readonly count?: string;
}

interface Flag {
  readonly type: "boolean";
  readonly description: string;
}

/** The options of a command that has these pages. */
export type PageOptions<Listed extends Pages> = {
  readonly page: ReturnType<typeof limitOption>;
  readonly limit: ReturnType<typeof limitOption>;
  readonly cursor: StringOption;
} & (Listed extends { sort: string }
  ? { readonly sort: StringOption & { readonly default: string } }
  : unknown) &
  (Listed extends { where: true } ? { readonly where: typeof whereOption } : unknown) &
  (Listed extends { all: string } ? { readonly all: Flag } : unknown) &
  (Listed extends { count: string } ? { readonly count: Flag } : unknown);

export const whereOption = {
  type: "string",
  placeholder: "json",
  description: "Filter with MongoDB's query syntax; `-` reads stdin, `@path` a file",
} as const;

export const collationOption = {
  type: "string",
  values: ["text", "binary"],
  description: "Order of texts in --sort: as people read them (`text`, default) or by code points",
} as const;

export function limitOption(
  description: string,
  maximum: number = maximumPageLimit,
  defaultLimit: number = defaultPageLimit,
) {
  return { type: "number", minimum: 1, maximum, default: defaultLimit, description } as const;
}

/** The options of these pages, in the order of the help. */
export function pageOptions(pages: Pages): Readonly<Record<string, OptionDefinition>> {
  const { of, limit, sort, all, count } = pages;
  const excludes = ["cursor", ...(all === undefined ? [] : ["all"])];
  const page = { type: "number", minimum: 1, maximum: maximumPage, default: 1 } as const;
  return {
    page: { ...page, description: "Page", excludes },
    limit: limitOption(`${of} per page`, undefined, limit),
    ...(sort === undefined ? {} : { sort: sortOption(sort, pages.sortWords) }),
    ...(pages.where === undefined ? {} : { where: whereOption }),
    cursor: {
      type: "string",
      placeholder: "cursor",
      description: "`nextCursor` of the previous page; instead of --page",
    },
    ...(all === undefined ? {} : { all: { type: "boolean", description: all } }),
    ...(count === undefined ? {} : { count: countOption(count, all !== undefined) }),
  };
}

function sortOption(order: string, words = ""): StringOption {
  const description = `Field names, separated by commas, \`-\` first for descending${words}`;
  return { type: "string", default: order, placeholder: "fields", description };
}

function countOption(description: string, hasAll: boolean): OptionDefinition {
  return { type: "boolean", description, ...(hasAll ? { excludes: ["all"] } : {}) };
}

interface PageChoice {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The query of the page that these options select. */
export function pageQuery({ page, limit, cursor }: PageChoice) {
  return cursor === undefined ? { limit, page } : { limit, cursor };
}

type Place = Partial<Pick<PageChoice, "page" | "cursor">>;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly page?: number | undefined;
  readonly hasNextPage?: boolean | undefined;
  readonly nextCursor?: string | null | undefined;
  readonly total?: number | undefined;
}

/** Prints a page as a table; stderr gets `none` for an empty one, and how to get the next one. */
export async function printPage<Item>(
  output: Output,
  list: Page<Item>,
  words: {
    readonly options: Place;
    readonly none: string;
    readonly columns: readonly Column<Item>[];
  },
): Promise<void> {
  await output.data(list, () => output.table(list.items, words.columns));
  if (list.items.length === 0 && !output.isJson) await output.note(shown`${words.none}`);
  await noteRest(output, list, words.options);
}

/** Reports on stderr the total of a counted list, and how to get the next page. */
export async function noteRest(
  output: Output,
  list: Page<unknown>,
  options: Place,
  noun = "item",
): Promise<void> {
  if (output.isJson) return;
  if (list.total !== undefined && list.total > 0) {
    await output.note(shown`${counted(list.total, noun)} in total`);
  }
  if (!goesOn(list, options)) return;
  await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
}

/** The place of an empty page, as the end of a message; earlier pages may have items. */
export function placeWords({ page = 1, cursor }: Place): string {
  if (cursor !== undefined) return " after this cursor";
  return page > 1 ? ` on page ${page}` : "";
}

/** Returns whether a list goes on after this page, by any sign that deployments send. */
export function goesOn(list: Page<unknown>, { page = 1 }: Place): boolean {
  const { hasNextPage, nextCursor, items, total } = list;
  if (items.length === 0) return false;
  if (hasNextPage !== undefined) return hasNextPage;
  if (typeof nextCursor === "string" && nextCursor !== "") return true;
  return total !== undefined && page === 1 && items.length < total;
}

/** The flag that selects the next page. A page selected by its cursor has no number. */
export function nextPage(list: Page<unknown>, { page = 1, cursor }: Place): string {
  return cursor === undefined
    ? `--page ${(list.page ?? page) + 1}`
    : `--cursor ${shellWord(list.nextCursor ?? "")}`;
}
