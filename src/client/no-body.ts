import type * as z from "zod";
import { isJsonObject } from "#lib/json-value.ts";
import { readAnswer, type Reading } from "./reading.ts";

const bodiless = new WeakSet<object>();

/** The reading of a response without a body, of which only the status reports success. */
export function readNothing<Type extends z.ZodType>(schema: Type): Reading<z.output<Type>> {
  const reading = readAnswer(schema, {});
  if (reading.fits && isJsonObject(reading.value)) bodiless.add(reading.value);
  return reading;
}

export function hadNoBody(answer: object): boolean {
  return bodiless.has(answer);
}
