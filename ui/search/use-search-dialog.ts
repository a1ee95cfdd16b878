import { useState } from "react";
import type { SearchMode, SearchResult } from "#client/index.ts";
import { fieldText, textField, type TextField } from "../kit/input/text-field.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { listStart, settle, movesThrough, type ListCursor } from "../kit/lists/list-cursor.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { useSearch, type LiveSearch } from "./use-search.ts";

const modes: readonly SearchMode[] = ["hybrid", "fulltext", "vector"];

export interface SearchDialog {
  readonly field: TextField;
  readonly edit: (change: (now: TextField) => TextField) => void;
  readonly mode: SearchMode;
  /** The only type that is searched; all types without one. */
  readonly objectType: string | undefined;
  readonly search: LiveSearch;
  readonly results: readonly SearchResult[];
  readonly cursor: ListCursor;
}

/** The search that is typed in the dialog, opened from records of `startType`, and its keys. */
export function useSearchDialog(
  startType: string | undefined,
  visible: number,
  onClose: () => void,
): SearchDialog {
  const { go } = useRouter();
  const [lastText, setLastText] = useRemembered("search text", "");
  const [mode, setMode] = useRemembered<SearchMode>("search mode", "hybrid");
  const [openedId, setOpenedId] = useRemembered("search opened", "");
  const [inAllTypes, setInAllTypes] = useState(startType === undefined);
  const [field, setField] = useState(() => textField(lastText));
  const [moved, setMoved] = useState<ListCursor>();
  const text = fieldText(field);
  const objectType = inAllTypes ? undefined : startType;
  const search = useSearch({ text, mode, objectType });
  const results = search.value?.results ?? [];
  // A reopened search continues at the result that was opened last.
  const opened = Math.max(
    0,
    results.findIndex(({ id }) => id === openedId),
  );
  const cursor = settle(moved ?? { index: opened, top: opened }, results.length, visible);
  const close = () => {
    setLastText(text);
    onClose();
  };
  const change = (apply: () => void) => {
    apply();
    setMoved(listStart);
  };
  useKeys("picker", {
    ...movesThrough((move) => setMoved(move(cursor)), results.length, visible),
    searchMode: (count) =>
      change(() => setMode(modes[(modes.indexOf(mode) + count) % modes.length] ?? "hybrid")),
    searchTypes:
      startType === undefined ? undefined : () => change(() => setInAllTypes(!inAllTypes)),
    choose: () => {
      // A failure is shown in place of the results of the query before it.
      if (search.failure !== undefined) return search.refresh();
      const selected = results[cursor.index];
      if (selected === undefined) return;
      setOpenedId(selected.id);
      close();
      go({ place: "resources", objectType: selected.type, recordId: selected.id });
    },
    close,
  });
  const edit: SearchDialog["edit"] = (edited) => change(() => setField(edited));
  return { field, edit, mode, objectType, search, results, cursor };
}
