import * as z from "zod";
import type { AnyCommand } from "#cli/command.ts";
import type { AnswerSchemas, JsonSchema } from "#cli/describe.ts";
import { failureSchema } from "#cli/failure-schema.ts";
import type { Answer } from "./answer.ts";
import { documentAnswers } from "./documents.ts";
import { localAnswers } from "./local.ts";
import { platformAnswers } from "./platform.ts";

/** Commands that fail with the same error for any words. */
const refused = new Set(["types define", "resources indexes-apply"]);

const answers = new Map(
  Object.entries({ ...platformAnswers, ...documentAnswers, ...localAnswers }),
);

/** The answer of a command that prints JSON; `undefined` for one that has no such format. */
export function answerOf<Context>(command: AnyCommand<Context>): Answer | undefined {
  if (command.formats === false) return undefined;
  if (refused.has(command.path)) return { schema: z.never() };
  return answers.get(command.path);
}

/** Leaves out the bounds of JavaScript's safe integers. */
function tidied(name: string, value: unknown): unknown {
  const isBound = name === "minimum" || name === "maximum";
  return isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const options = { target: "draft-2020-12", io: "output", unrepresentable: "any" } as const;
  const text = JSON.stringify(z.toJSONSchema(schema, options));
  const { $schema: _dialect, ...rest } = JSON.parse(text, tidied) as JsonSchema;
  return rest;
}

/** The schemas of a command's answer and of its error. */
export function answerSchemas<Context>(command: AnyCommand<Context>): AnswerSchemas {
  const answer = answerOf(command);
  return {
    output: answer === undefined ? undefined : jsonSchema(answer.schema),
    isLines: answer?.form === "lines",
    error: jsonSchema(failureSchema),
  };
}
