import { foundRows, mostSearched } from "../answers/found-rows.ts";
import type { TextFilter } from "../filter/use-filter.ts";
import type { Column } from "../table/columns.ts";
import { countWords } from "../text/words.ts";
import type { PlaceList } from "./action.ts";

/** The search of a list in its columns, for one that the platform does not filter. */
export function rowSearch(name: string): TextFilter {
  return {
    key: `find ${name}`,
    label: "find",
    placeholder: "a text of any column",
    fact: "with",
    noMatch: `None of the first ${countWords(mostSearched)} rows has this in its columns.`,
  };
}

/** True if a cell of the row has the text, in upper or lower case. */
export function rowHas<Row>(columns: readonly Column<Row>[], row: Row, text: string): boolean {
  const wanted = text.toLowerCase();
  return columns.some(({ value }) => value(row).toLowerCase().includes(wanted));
}

/** The list with its rows searched here. */
export function searchedList<Row>(
  list: PlaceList<Row>,
  columnsNow: () => readonly Column<Row>[],
): PlaceList<Row> {
  return {
    ...list,
    ask: (client, question) => {
      const { text, query } = question;
      if (text === undefined) return list.ask(client, question);
      const columns = columnsNow();
      return foundRows(
        (each) => list.ask(client, { ...question, query: each, text: undefined }),
        query,
        (row) => rowHas(columns, row, text),
      );
    },
  };
}
