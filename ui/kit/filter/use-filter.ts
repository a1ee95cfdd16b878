import { useCallback, useState } from "react";
import type { JsonObject } from "#client/index.ts";
import type { Completion, PromptProblem } from "../input/prompt.ts";
import { completeFilter } from "./filter-completion.ts";
import type { Failure } from "../answers/failure.ts";
import { parseFilter, type Properties } from "./filter-language.ts";
import { filterHint } from "../keys/key-table.ts";
import { useRemembered } from "../state/use-remembered.tsx";

const promptRows = 2;
const maximumHistory = 50;
interface KeptFilter {
  readonly text: string;
  /**
   * What it meant when it was typed: a type that is changed under it may leave it without a meaning,
   * and all records would stand there as those that it finds.
   */
  readonly meant: JsonObject | undefined;
}

const nothing: KeptFilter = { text: "", meant: undefined };
const noHistory: readonly string[] = [];

/** The line in which a filter is typed. */
export interface FilterPrompt {
  readonly placeholder: string;
  readonly history: readonly string[];
  /** What is wrong with the typed text, also in the platform's words: `failure` is that of the list. */
  readonly problemOf: (typed: string, failure: Failure | undefined) => PromptProblem | undefined;
  readonly completionOf: (before: string) => Completion | undefined;
  readonly submit: (typed: string) => void;
  readonly cancel: () => void;
}

export interface Filter {
  /** As typed. */
  readonly text: string;
  /** The same as JSON for the platform. */
  readonly where: string | undefined;
  /** Whether it is being typed right now; the screen's other keys rest meanwhile. */
  readonly typing: boolean;
  readonly start: () => void;
  /** Another filter, as if it had been typed. */
  readonly use: (text: string) => void;
  readonly clear: () => void;
  /** What to do about a failure that comes of the filter. */
  readonly mend: (failure: Failure | undefined) => string | undefined;
  /** Rows of the line in which it is typed: none while it is not typed. */
  readonly rows: number;
  /** What that line needs. */
  readonly prompt: FilterPrompt;
}

/** What the platform found wrong with a filter, at its place in what was typed. */
function refusalOf(text: string, failure: Failure | undefined): PromptProblem | undefined {
  const fault = failure?.faults.find(({ steps }) => steps[0] === "where");
  if (fault === undefined) return undefined;
  let at = { start: 0, end: text.length };
  for (const step of fault.steps.slice(1)) {
    const start = text.indexOf(step, at.start);
    if (start !== -1) at = { start, end: start + step.length };
  }
  const place = fault.steps.slice(1).join(" › ");
  return { words: place === "" ? fault.detail : `${place}: ${fault.detail}`, at };
}

/**
 * A list's filter: typed in a line above the list, kept when one goes away and comes back. `beside` as
 * `parseFilter` has it.
 */
export function useFilter(
  key: string,
  properties: Properties,
  placeholder: string,
  beside?: Properties,
): Filter {
  const [{ text, meant }, setKept] = useRemembered<KeptFilter>(`filter ${key}`, nothing);
  const [history, setHistory] = useRemembered(`filters ${key}`, noHistory);
  const [typing, setTyping] = useState(false);
  const parsed = parseFilter(text, properties, beside);
  const where = "where" in parsed ? parsed.where : meant;
  const apply = useCallback(
    (typed: string) => {
      const next = typed.trim();
      const read = parseFilter(next, properties, beside);
      setKept({ text: next, meant: "where" in read ? read.where : undefined });
      if (next === "") return;
      setHistory((now) => [next, ...now.filter((one) => one !== next)].slice(0, maximumHistory));
    },
    [setKept, setHistory, properties, beside],
  );
  return {
    text,
    where: where === undefined ? undefined : JSON.stringify(where),
    typing,
    start: () => setTyping(true),
    use: apply,
    clear: () => setKept(nothing),
    mend: (failure) => (text !== "" && failure?.status === 422 ? filterHint() : undefined),
    rows: typing ? promptRows : 0,
    prompt: {
      placeholder,
      history: history.filter((one) => one !== text),
      problemOf: (typed, failure) => {
        const read = parseFilter(typed, properties, beside);
        if ("problem" in read) return { words: read.problem, at: read.at };
        return typed.trim() === text ? refusalOf(text, failure) : undefined;
      },
      completionOf: (before) => completeFilter(before, properties, beside),
      submit: (typed) => {
        apply(typed);
        setTyping(false);
      },
      cancel: () => setTyping(false),
    },
  };
}
