import type { SearchKeys } from "./keys.ts";
import { useState } from "react";
import type { SearchMode, SearchResult } from "#client/index.ts";
import { fieldText, textField, type TextField } from "../kit/input/text-field.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import { listStart, settle, movesThrough, type ListCursor } from "../kit/cursor/list-cursor.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import type { CommandWords } from "../kit/places/action.ts";
import { useRoute, useRouter } from "../shell/router.ts";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useSearch, type LiveSearch, type SearchTarget } from "./use-search.ts";
import { citationOf } from "./words.ts";

const modes: readonly SearchMode[] = ["hybrid", "fulltext", "vector"];

export interface SearchDialog {
  readonly field: TextField;
  readonly edit: (change: (now: TextField) => TextField) => void;
  readonly mode: SearchMode;
  readonly target: SearchTarget;
  /** The target of the next `searchTypes`. */
  readonly nextTarget: SearchTarget;
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
  const route = useRoute();
  const copyCommand = useCopyCommand();
  const [lastText, setLastText] = useRemembered("search text", "");
  const [mode, setMode] = useRemembered<SearchMode>("search mode", "hybrid");
  const [openedId, setOpenedId] = useRemembered("search opened", "");
  const targets = targetsOf(startType, route.place === "documents");
  const [targetIndex, setTargetIndex] = useState(0);
  const [field, setField] = useState(() => textField(lastText));
  const [moved, setMoved] = useState<ListCursor>();
  const text = fieldText(field);
  const target = targets[targetIndex] ?? everything;
  const nextIndex = (targetIndex + 1) % targets.length;
  const nextTarget = targets[nextIndex] ?? everything;
  const search = useSearch({ text, mode, target });
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
  useKeys<SearchKeys>("picker", {
    ...movesThrough(
      (move) => setMoved(move(cursor)),
      () => ({ count: results.length, rows: visible }),
    ),
    searchMode: (count) =>
      change(() => setMode(modes[(modes.indexOf(mode) + count) % modes.length] ?? "hybrid")),
    searchTypes: () => change(() => setTargetIndex(nextIndex)),
    choose: () => {
      // A failure is shown in place of the results of the query before it.
      if (search.failure !== undefined) return search.refresh();
      const selected = results[cursor.index];
      if (selected === undefined) return;
      setOpenedId(selected.id);
      close();
      const passage = search.value?.passages?.[cursor.index];
      if (passage !== undefined) {
        const { documentId } = passage;
        return go({ place: "documents", documentId, citation: citationOf(passage) });
      }
      go({ place: "resources", objectType: selected.type, recordId: selected.id });
    },
    copyCommand: () => copyCommand.inWorkspace(...searchCommand(text.trim(), mode, target)),
    close,
  });
  const edit: SearchDialog["edit"] = (edited) => change(() => setField(edited));
  return { field, edit, mode, target, nextTarget, search, results, cursor };
}

/** The command that finds the same. */
function searchCommand(text: string, mode: SearchMode, target: SearchTarget): CommandWords {
  if (target.kind === "documents") return [["docs", "search", text], { mode }];
  const types = target.kind === "type" ? target.objectType : undefined;
  return [["resources", "search", text], { types, mode }];
}

const everything: SearchTarget = { kind: "all" };

/** The targets in the order in which the key chooses them. */
function targetsOf(
  startType: string | undefined,
  isAmongDocuments: boolean,
): readonly SearchTarget[] {
  const documents: SearchTarget = { kind: "documents" };
  if (isAmongDocuments) return [documents, everything];
  if (startType === undefined) return [everything, documents];
  return [{ kind: "type", objectType: startType }, everything, documents];
}
