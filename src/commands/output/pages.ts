import { shown } from "#cli/shown.ts";
import type { Output } from "#cli/output.ts";
import type { Column } from "#cli/table.ts";
import { counted } from "#lib/counted.ts";
import { cursorOption, limitOption, pageOption } from "../resources/records/options.ts";
import { goesOn, nextPage } from "../resources/records/options.ts";

/** `--page`, `--limit` and `--cursor` of a list. */
export function pageOptions(items: string) {
  return {
    page: pageOption("cursor"),
    limit: limitOption(`${items} per page`),
    cursor: cursorOption,
  };
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
    readonly options: Pick<PageChoice, "page" | "cursor">;
    readonly none: string;
    readonly columns: readonly Column<Item>[];
  },
): Promise<void> {
  await output.data(list, () => output.table(list.items, words.columns));
  if (list.items.length === 0 && !output.isJson) await output.note(shown`${words.none}`);
  await noteRest(output, list, words.options);
}

/** On stderr: how many items there are, if the list was counted, and how to get the next page. */
export async function noteRest(
  output: Output,
  list: Page<unknown>,
  options: Pick<PageChoice, "page" | "cursor">,
  noun = "item",
): Promise<void> {
  if (output.isJson) return;
  if (list.total !== undefined && list.total > 0) {
    await output.note(shown`${counted(list.total, noun)} in total`);
  }
  if (!goesOn(list, options)) return;
  await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
}
