import type { Failure } from "../answers/failure.ts";
import { PromptLine } from "../input/prompt-line.tsx";
import type { Filter } from "./use-filter.ts";

/** The line in which a filter is typed. */
export function FilterLine(props: {
  readonly filter: Filter;
  readonly failure: Failure | undefined;
  readonly width: number;
}) {
  const { filter, failure, width } = props;
  const { text, prompt } = filter;
  return (
    <PromptLine
      label={prompt.label}
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
}
