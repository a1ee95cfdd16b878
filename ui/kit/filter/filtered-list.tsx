import type { ReactNode } from "react";
import type { Failure } from "../answers/failure.ts";
import { PromptLine } from "../input/prompt-line.tsx";
import { filterHint } from "../keys/base-keys.ts";
import type { Filter } from "./use-filter.ts";

interface EmptyWords {
  readonly words: string;
  readonly next?: string;
}

interface FilteredList {
  /** The line above the list in which the filter is typed. */
  readonly above: { readonly rows: number; readonly draw: (width: number) => ReactNode };
  readonly mend: string | undefined;
  readonly empty: EmptyWords;
}

/** The props that a filter adds to its list; `empty` is for a list without a filter. */
export function filteredList(
  filter: Filter,
  failure: Failure | undefined,
  noun: string,
  empty: EmptyWords,
): FilteredList {
  const { text, rows, prompt } = filter;
  const draw = (width: number) => (
    <PromptLine
      label="filter"
      initial={text}
      placeholder={prompt.placeholder}
      width={width}
      history={prompt.history}
      problemOf={(typed) => prompt.problemOf(typed, failure)}
      completionOf={prompt.completionOf}
      onSubmit={prompt.submit}
      onCancel={prompt.cancel}
    />
  );
  return {
    above: { rows, draw },
    mend: text !== "" && failure?.status === 422 ? filterHint() : undefined,
    empty: text === "" ? empty : { words: `No ${noun} matches this filter.`, next: filterHint() },
  };
}
