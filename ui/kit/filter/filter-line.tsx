import type { Failure } from "../answers/failure.ts";
import type { Filter } from "./use-filter.ts";
import type { Completion, PromptProblem } from "../input/prompt.ts";
import { Box } from "ink";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { fieldText, graphemesBetween, textField, type TextField } from "../input/text-field.ts";
import { clipText, textWidth } from "../text/text-layout.ts";
import { Paint } from "../theme/paint.tsx";
import { TextInput } from "../input/text-input.tsx";

const noHistory: readonly string[] = [];

function PromptLine(props: {
  readonly label: string;
  readonly initial: string;
  readonly placeholder: string;
  readonly width: number;
  readonly problemOf?: (text: string) => PromptProblem | undefined;
  readonly completionOf?: (before: string) => Completion | undefined;
  /** The texts of before, newest first. */
  readonly history?: readonly string[];
  readonly onTyped: (text: string) => void;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}) {
  const { label, width, problemOf, completionOf, history = noHistory, onSubmit, onCancel } = props;
  const [field, setField] = useState(() => textField(props.initial));
  // At -1 the field shows the typed text, else an earlier one.
  const [recalled, setRecalled] = useState({ at: -1, typed: props.initial });
  const text = fieldText(field);
  const problem = problemOf?.(text);
  const completion = completionOf?.(field.graphemes.slice(0, field.cursor).join(""));
  const [first] = completion?.choices ?? [];
  const room = width - textWidth(label) - 3;
  const reported = useRef(text);
  const report = useEffectEvent(props.onTyped);
  useEffect(() => {
    if (reported.current === text) return;
    reported.current = text;
    report(text);
  }, [text]);
  const recall = (at: number) => {
    const typed = recalled.at === -1 ? text : recalled.typed;
    const next = Math.max(-1, Math.min(at, history.length - 1));
    setRecalled({ at: next, typed });
    setField(textField(next === -1 ? typed : (history[next] ?? "")));
  };
  useKeys("input", {
    older: history.length > 0 ? (count) => recall(recalled.at + count) : undefined,
    newer: recalled.at >= 0 ? (count) => recall(recalled.at - count) : undefined,
    complete:
      completion === undefined || first === undefined
        ? undefined
        : () => setField((now) => completed(now, completion.replaces, first + completion.ending)),
  });
  const hint = (completion?.choices ?? []).join("  ");
  return (
    <Box flexDirection="column" flexShrink={0} height={2} width={width} overflow="hidden">
      <Box height={1} flexShrink={0}>
        <Paint as="key"> {label} </Paint>
        <TextInput
          scope="input"
          field={field}
          width={room}
          placeholder={props.placeholder}
          fault={problem === undefined ? undefined : graphemesBetween(field, problem.at)}
          onEdit={setField}
          onSubmit={() => {
            if (problem === undefined) onSubmit(text);
          }}
          onCancel={onCancel}
        />
      </Box>
      <Paint as={problem === undefined || hint !== "" ? "quiet" : "warn"}>
        {" "}
        {clipText(hint === "" ? (problem?.words ?? "") : hint, width - 2)}
      </Paint>
    </Box>
  );
}

function completed(field: TextField, replaces: number, text: string): TextField {
  const start = field.cursor - replaces;
  const before = field.graphemes.slice(0, start).join("");
  const put = textField(before + text);
  return {
    graphemes: [...put.graphemes, ...field.graphemes.slice(field.cursor)],
    cursor: put.cursor,
  };
}

const shortList = 20_000;
const comparesField = /[:=<>]/;

/** The line in which a filter is typed. */
export function FilterLine(props: {
  readonly filter: Filter;
  readonly failure: Failure | undefined;
  /** The rows of the list, which may be narrowed while the filter is typed. */
  readonly rows: number;
  readonly width: number;
}) {
  const { filter, failure, rows, width } = props;
  const { prompt } = filter;
  return (
    <PromptLine
      label={prompt.label}
      initial={prompt.initial}
      placeholder={prompt.placeholder}
      width={width}
      history={prompt.history}
      problemOf={(typed) => prompt.problemOf(typed, failure)}
      completionOf={prompt.completionOf}
      onTyped={(typed) => {
        // A search without an index reads each text: too slow in a long list for each pause in
        // typing.
        const isFast = filter.isIndexed === true || rows <= shortList;
        if (isFast || comparesField.test(typed)) prompt.preview(typed);
      }}
      onSubmit={prompt.submit}
      onCancel={prompt.cancel}
    />
  );
}
