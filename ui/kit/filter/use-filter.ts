import { useCallback, useEffect, useRef, useState } from "react";
import type { JsonObject } from "#client/index.ts";
import type { Failure } from "../answers/failure.ts";
import type { Completion, PromptProblem } from "../input/prompt.ts";
import { useRemembered } from "../state/use-remembered.ts";
import { parseFilter, type Properties, systemProperties } from "./filter-language.ts";
import { ownMember } from "#lib/own-member.ts";

const maximumChoices = 40;

function beginningWith(names: readonly string[], typed: string): string[] {
  const prefix = typed.toLowerCase();
  return names
    .filter((name) => name !== typed && name.toLowerCase().startsWith(prefix))
    .slice(0, maximumChoices);
}

/** The field names, or the values of an enum or boolean field, that complete the typed text. */
export function completeFilter(
  before: string,
  properties: Properties,
  others: Properties = systemProperties,
): Completion | undefined {
  if (before.trim() === "" || before.trimStart().startsWith("{")) return undefined;
  const [, name = "", typed] = /(?:^|\s)-?(?:([\w.]+)(?:[:=]|!=))?([\w.-]*)$/.exec(before) ?? [];
  if (typed === undefined) return undefined;
  const isField = name === "";
  const property = ownMember(properties, name);
  const values = property?.enum ?? (property?.type === "boolean" ? ["true", "false"] : []);
  const names = isField ? [...Object.keys(properties), ...Object.keys(others)] : values.map(String);
  const prefix = isField ? typed.replace(/^-/, "") : typed;
  const choices = beginningWith(names, prefix);
  if (choices.length === 0) return undefined;
  return { choices, replaces: prefix.length, ending: isField ? ":" : " " };
}

const promptRows = 2;
const maximumHistory = 50;

interface SavedFilter {
  readonly text: string;
  /** Parsed when it was typed. Used if the text no longer parses because the type changed. */
  readonly parsed: JsonObject | undefined;
}

const noFilter: SavedFilter = { text: "", parsed: undefined };
const noHistory: readonly string[] = [];

interface FilterPrompt {
  readonly label: string;
  /** The text at the opening, after which the user types on. */
  readonly initial: string;
  readonly placeholder: string;
  readonly history: readonly string[];
  /** The problem of the typed text, or the platform's refusal from the list's `failure`. */
  readonly problemOf: (typed: string, failure: Failure | undefined) => PromptProblem | undefined;
  readonly completionOf: (before: string) => Completion | undefined;
  /** Narrows the list to a text that is still being typed. */
  readonly preview: (typed: string) => void;
  readonly submit: (typed: string) => void;
  readonly cancel: () => void;
}

export interface Filter {
  readonly text: string;
  /** The filter as JSON for the platform; absent for a filter that is not of fields. */
  readonly where: string | undefined;
  readonly facts: readonly string[];
  /** Whether the user is typing it; the other keys of the screen are off meanwhile. */
  readonly typing: boolean;
  /** Whether words are found by an index, so that a long list is narrowed while they are typed. */
  readonly isIndexed?: boolean;
  /** Absent for a list that has no filter. */
  readonly start: (() => void) | undefined;
  /** Applies another filter, as if it was typed. */
  readonly use: (text: string) => void;
  readonly clear: () => void;
  /** Rows of the line in which it is typed; 0 while it is not typed. */
  readonly rows: number;
  readonly prompt: FilterPrompt;
  /** Shown where no row matches it. */
  readonly noMatch: string;
}

/** The platform's refusal of a filter, with its place in the typed text. */
function refusalOf(text: string, failure: Failure | undefined): PromptProblem | undefined {
  const fault = failure?.faults.find(({ steps }) => steps[0] === "where");
  if (fault === undefined) return undefined;
  let at = { start: 0, end: text.length };
  for (const step of fault.steps.slice(1)) {
    const start = text.indexOf(step, at.start);
    if (start !== -1) at = { start, end: start + step.length };
  }
  const path = fault.steps.slice(1).join(" › ");
  return { words: path === "" ? fault.detail : `${path}: ${fault.detail}`, at };
}

export interface FieldFilter {
  /** The list, under which the filter is remembered. */
  readonly key: string;
  readonly properties: Properties;
  /** The other properties that `parseFilter` takes. */
  readonly others?: Properties | undefined;
  readonly placeholder: string;
  readonly noMatch: string;
}

/** The time without a key after which a list is narrowed to the typed text. */
const previewMs = 250;

/** Applies what is typed once the keys rest. `end` drops what was not applied yet. */
function usePreview(): { readonly later: (apply: () => void) => void; readonly end: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (apply: () => void) => {
    end();
    timer.current = setTimeout(apply, previewMs);
  };
  return { later, end };
}

/** A filter with a blank at its end, so that the next term does not become part of the last one. */
function openForMore(text: string): string {
  return text === "" ? "" : `${text} `;
}

/** A filter of the fields of a list, remembered between visits. */
export function useFieldFilter(filter: FieldFilter): Filter {
  const { key, properties, others, placeholder, noMatch } = filter;
  const [saved, setSaved] = useRemembered<SavedFilter>(`filter ${key}`, noFilter);
  const [history, setHistory] = useRemembered(`filters ${key}`, noHistory);
  const [before, setBefore] = useState<SavedFilter | undefined>(undefined);
  const preview = usePreview();
  const typing = before !== undefined;
  const { text } = saved;
  const parsed = parseFilter(text, properties, others);
  const where = "where" in parsed ? parsed.where : saved.parsed;
  const apply = useCallback(
    (typed: string) => {
      const next = typed.trim();
      const result = parseFilter(next, properties, others);
      setSaved({ text: next, parsed: "where" in result ? result.where : undefined });
      if (next === "") return;
      setHistory((now) => [next, ...now.filter((each) => each !== next)].slice(0, maximumHistory));
    },
    [setSaved, setHistory, properties, others],
  );
  return {
    text,
    where: where === undefined ? undefined : JSON.stringify(where),
    facts: text === "" ? [] : [`filter ${text}`],
    typing,
    start: () => setBefore(saved),
    use: apply,
    clear: () => setSaved(noFilter),
    rows: typing ? promptRows : 0,
    noMatch,
    prompt: {
      label: "filter",
      initial: openForMore(text),
      placeholder,
      history: history.filter((each) => each !== text).map(openForMore),
      problemOf: (typed, failure) => {
        const result = parseFilter(typed, properties, others);
        if ("problem" in result) return { words: result.problem, at: result.at };
        return typed.trim() === text ? refusalOf(text, failure) : undefined;
      },
      completionOf: (start) => completeFilter(start, properties, others),
      preview: (typed) => {
        const next = typed.trim();
        const result = parseFilter(next, properties, others);
        if (!("where" in result)) return preview.end();
        preview.later(() => setSaved({ text: next, parsed: result.where }));
      },
      submit: (typed) => {
        preview.end();
        apply(typed);
        setBefore(undefined);
      },
      cancel: () => {
        preview.end();
        if (before !== undefined) setSaved(before);
        setBefore(undefined);
      },
    },
  };
}

export interface TextFilter {
  /** The name under which the text is remembered. */
  readonly key: string;
  readonly label: string;
  readonly placeholder: string;
  /** Precedes the text in the frame of the list. */
  readonly fact: string;
  readonly noMatch: string;
  /** The texts that the filter takes, if it takes no others. */
  readonly values?: readonly string[];
  /** Why the filter does not take a text; undefined for one that it takes. */
  readonly problemOf?: (text: string) => string | undefined;
}

/** Why a filter does not take a typed text. */
function textProblem(typed: string, { values, problemOf }: TextFilter): PromptProblem | undefined {
  const text = typed.trim();
  if (text === "" || values?.includes(text) === true) return undefined;
  const words = values === undefined ? problemOf?.(text) : `must be ${values.join(", ")}`;
  return words === undefined ? undefined : { words, at: { start: 0, end: typed.length } };
}

/** A text by which the platform filters a list, remembered between visits. */
export function useTextFilter(filter: TextFilter): Filter {
  const { key, label, placeholder, fact, noMatch, values } = filter;
  const [text, setText] = useRemembered(key, "");
  const [before, setBefore] = useState<string | undefined>(undefined);
  const preview = usePreview();
  const typing = before !== undefined;
  const apply = (typed: string) => setText(typed.trim());
  return {
    text,
    where: undefined,
    facts: text === "" ? [] : [`${fact} ${text}`],
    typing,
    start: () => setBefore(text),
    use: apply,
    clear: () => setText(""),
    rows: typing ? promptRows : 0,
    noMatch,
    prompt: {
      label,
      initial: text,
      placeholder,
      history: noHistory,
      problemOf: (typed) => textProblem(typed, filter),
      completionOf: (start) => {
        const choices = beginningWith(values ?? [], start);
        return choices.length === 0 ? undefined : { choices, replaces: start.length, ending: "" };
      },
      preview: (typed) => {
        if (textProblem(typed, filter) !== undefined) preview.end();
        else preview.later(() => apply(typed));
      },
      submit: (typed) => {
        if (textProblem(typed, filter) !== undefined) return;
        preview.end();
        apply(typed);
        setBefore(undefined);
      },
      cancel: () => {
        preview.end();
        if (before !== undefined) setText(before);
        setBefore(undefined);
      },
    },
  };
}

const nothing = () => {};
const unfiltered: Filter = {
  text: "",
  where: undefined,
  facts: [],
  typing: false,
  start: undefined,
  use: nothing,
  clear: nothing,
  rows: 0,
  noMatch: "",
  prompt: {
    label: "",
    initial: "",
    placeholder: "",
    history: noHistory,
    problemOf: () => undefined,
    completionOf: () => undefined,
    preview: nothing,
    submit: nothing,
    cancel: nothing,
  },
};

/** A list without a filter. */
export function useNoFilter(): Filter {
  return unfiltered;
}
