import type { Domain, Routes } from "#contract/index.ts";
import type { ReplyAlternative, ReplyBody, ReplyEvent } from "#contract/route.ts";
import { plainValue, unclear } from "./plain-value.ts";
import type { Reading } from "./reading.ts";
import { clientRoute, type AnswerPart, type ClientRoute } from "../route.ts";

/** A part of an answer that is as the contract says; otherwise `unclear`. */
export function plainAnswer(route: ClientRoute, name: AnswerPart, answer: unknown): unknown {
  const form = route.formOf(name);
  return form === undefined ? unclear : plainValue(form, answer);
}

/**
 * Reads an answer of any deployment as the contract's type; see `readAnswer`. Only an answer that
 * differs from the contract needs that reader.
 */
export async function readPart(
  route: ClientRoute,
  name: AnswerPart,
  answer: unknown,
): Promise<Reading> {
  await route.loadShapes();
  const form = route.formOf(name);
  if (form === undefined) throw new TypeError(`${route.path} has no ${name}`);
  if (plainValue(form, answer) !== unclear) return { fits: true, value: answer };
  const { readAnswer } = await import("./reading.ts");
  return readAnswer(form, answer);
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
