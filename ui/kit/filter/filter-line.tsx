import type { ReactNode } from "react";
import type { Failure } from "../answers/failure.ts";
import { PromptLine } from "../input/prompt-line.tsx";
import type { Filter } from "./use-filter.ts";

/** The line above a list in which its filter is typed, and its rows; `failure` is that of the list. */
export function filterLine(
  filter: Filter,
  failure: Failure | undefined,
): { readonly rows: number; readonly draw: (width: number) => ReactNode } {
  const { text, rows, prompt } = filter;
  return {
    rows,
    draw: (width) => (
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
    ),
  };
}
