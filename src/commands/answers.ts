import * as z from "zod";
import type { AnswerSchemas, JsonSchema } from "#cli/pages/describe.ts";
import { routes, type Domain } from "#contract/index.ts";
import { exitCodes } from "#contract/errors.ts";
import { fault } from "#contract/problems.ts";
import type { Answer, AnswerKit, RouteId } from "./kit/answer.ts";
import type { Command } from "./kit/command.ts";
import { everyCommand } from "./load.ts";

/** The error that every command prints with `--format json` (spec 7.1). */
const failureSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("A code of the catalog: `svc errors` lists them"),
      message: z.string(),
      suggestion: z.string().describe("The catalog's suggestion"),
      exitCode: z.literal(Object.values(exitCodes)).describe("The exit code of the process"),
      status: z.int().optional().describe("HTTP status of the platform's response"),
      requestId: z.string().optional(),
      requiredRole: z.string().optional(),
      currentRole: z.string().optional(),
      errors: z.array(fault).optional(),
      hint: z.string().optional().describe("The next step in this case"),
    }),
  })
  .meta({ id: "Failure" });

/** The schemas of the JSON that commands print. */
interface PrintedSchemas {
  /** The schemas of each command, by its path. */
  readonly answers: Readonly<Record<string, Omit<AnswerSchemas, "error">>>;
  /** The error that every command prints. */
  readonly error: JsonSchema;
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

type Replying = { readonly reply: { readonly type: string; readonly schema?: z.ZodType } };

function reply(id: RouteId): z.ZodType {
  const [domain = "", name = ""] = id.split(".");
  const members: Readonly<Record<string, Replying>> = routes[domain as Domain];
  return members[name]?.reply.schema ?? z.null();
}

const kit: AnswerKit = { z, reply };

async function schemaOf(answer: Answer): Promise<z.ZodType> {
  if (typeof answer === "function") return await answer(kit);
  return typeof answer === "string" ? reply(answer) : z.union(answer.map(reply));
}

async function printedBy({ answer, answerLine }: Command): Promise<Omit<AnswerSchemas, "error">> {
  const given = answer ?? answerLine;
  const isLines = answerLine !== undefined;
  return given === undefined ? { isLines } : { output: jsonSchema(await schemaOf(given)), isLines };
}

async function answerSchemas(): Promise<PrintedSchemas> {
  const commands = await everyCommand();
  const answers = await Promise.all(
    commands.map(async (command) => [command.path, await printedBy(command)] as const),
  );
  return { answers: Object.fromEntries(answers), error: jsonSchema(failureSchema) };
}

/** The schemas of every command's JSON. The build computes them once, as the table. */
export const printed: PrintedSchemas = await answerSchemas();
