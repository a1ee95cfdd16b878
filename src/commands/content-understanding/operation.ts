import { shown, type Shown } from "#cli/shown.ts";
import type {
  UnderstandingAction,
  UnderstandingOperation,
} from "#contract/documents/content-understanding.ts";
import type { CommandContext } from "../kit/context.ts";
import { scalarText } from "../kit/output/rows.ts";

export function actionRows(
  { output }: CommandContext,
  actions: readonly UnderstandingAction[],
): Shown[] {
  return output.table(actions, [
    { heading: "kind", value: ({ kind }) => kind, whole: true },
    { heading: "key", value: ({ key }) => key, whole: true },
    { heading: "action", value: ({ action }) => action, whole: true },
    { heading: "changes", value: ({ changes }) => changes?.join(", "), optional: true },
  ]);
}

/** An operation with its actions, and what keeps it from being complete. */
export function operationLines(
  context: CommandContext,
  operation: UnderstandingOperation,
): Shown[] {
  const { operationId, status, digest, createdAt, actions = [] } = operation;
  return [
    ...context.output.fields([
      ["operation", operationId],
      ["status", status],
      ["digest", digest],
      ["applied", createdAt],
    ]),
    shown``,
    ...actionRows(context, actions),
    ...(operation.trainings ?? []).map(
      ({ classifier, status: state, error }) =>
        shown`training of ${scalarText(classifier)}: ${scalarText(state)}${
          typeof error === "string" ? `, ${error}` : ""
        }`,
    ),
    ...(operation.runtimeSync ?? []).map(
      ({ documentType, status: state }) =>
        shown`runtime of ${scalarText(documentType)}: ${scalarText(state)}`,
    ),
  ];
}
