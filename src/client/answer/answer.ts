import type * as z from "zod";
import type { Domain, Routes } from "#contract/index.ts";
import type { ReplyAlternative, ReplyBody, ReplyEvent, RouteDefinition } from "#contract/route.ts";
import { PlainValues, unclear } from "../request/plain-value.ts";
import type { Reading } from "./reading.ts";
import { clientRoute, type AnswerPart, type ClientRoute } from "../route.ts";

/** A part of an answer that is as the contract says; otherwise `unclear`. */
export function plainAnswer(route: ClientRoute, name: AnswerPart, answer: unknown): unknown {
  return new PlainValues(route.shapes, "received").read(placeOf(route, name), answer);
}

/**
 * Reads an answer of any deployment as the contract's type; see `readAnswer`. Only an answer that
 * differs from the contract needs the schema.
 */
export async function readPart(
  route: ClientRoute,
  name: AnswerPart,
  answer: unknown,
): Promise<Reading<unknown>> {
  await route.loadShapes();
  const value = plainAnswer(route, name, answer);
  if (value !== unclear) return { fits: true, value };
  const [{ readAnswer }, definition] = await Promise.all([
    import("./reading.ts"),
    route.definition(),
  ]);
  const schema = schemaOf(definition, name);
  if (schema === undefined) throw new TypeError(`${route.path} has no ${name}`);
  return readAnswer(schema, answer);
}

function placeOf(route: ClientRoute, name: AnswerPart): number | undefined {
  if (name !== "reply") return route[name];
  return "schema" in route.reply ? route.reply.schema : undefined;
}

function schemaOf(definition: RouteDefinition, name: AnswerPart): z.ZodType | undefined {
  if (name !== "reply") return definition[name];
  return "schema" in definition.reply ? definition.reply.schema : undefined;
}

interface AnswerTypes<Definition> extends Record<AnswerPart, unknown> {
  readonly reply: ReplyBody<Definition>;
  readonly events: ReplyEvent<Definition>;
  readonly alternative: ReplyAlternative<Definition>;
}

/** The answer as a part of a route's answers; undefined if it does not fit. */
export async function answerOf<
  Name extends Domain,
  Key extends keyof Routes[Name] & string,
  PartName extends AnswerPart,
>(
  domain: Name,
  name: Key,
  part: PartName,
  answer: unknown,
): Promise<AnswerTypes<Routes[Name][Key]>[PartName] | undefined>;
export async function answerOf(
  domain: Domain,
  name: string,
  part: AnswerPart,
  answer: unknown,
): Promise<unknown> {
  const reading = await readPart(clientRoute(domain, name), part, answer);
  return reading.fits ? reading.value : undefined;
}
