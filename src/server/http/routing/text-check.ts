import * as z from "zod";

export type TextCheck = (text: string) => boolean;

/**
 * A fast check for the ids and names in every path: true only for texts that the schema accepts
 * unchanged. Other texts need the schema, which also has the messages. Undefined for a schema with
 * more than length, pattern and overwrite checks.
 */
export function textCheck(schema: z.core.$ZodType): TextCheck | undefined {
  if (!(schema instanceof z.core.$ZodString)) return undefined;
  if (schema instanceof z.core.$ZodStringFormat) return undefined;
  const { checks = [] } = schema._zod.def;
  const tests: TextCheck[] = [];
  for (const check of checks) {
    if (check instanceof z.core.$ZodCheckMinLength) {
      const { minimum } = check._zod.def;
      // A schema counts code points; one may have two units.
      const units = minimum <= 1 ? minimum : 2 * minimum;
      tests.push((text) => text.length >= units);
    } else if (check instanceof z.core.$ZodCheckMaxLength) {
      const { maximum } = check._zod.def;
      tests.push((text) => text.length <= maximum);
    } else if (check instanceof z.core.$ZodCheckRegex) {
      const { pattern } = check._zod.def;
      // A global or sticky pattern keeps state between tests.
      if (pattern.global || pattern.sticky) return undefined;
      tests.push((text) => pattern.test(text));
    } else if (check instanceof z.core.$ZodCheckOverwrite) {
      const { tx } = check._zod.def;
      // Later checks see the same text, because a changed one fails here.
      tests.push((text) => tx(text) === text);
    } else return undefined;
  }
  return (text) => tests.every((test) => test(text));
}

/** A check for each of these members; undefined when one of them needs its schema. */
export function textChecks(
  schema: z.ZodType | undefined,
  names: readonly string[],
): readonly TextCheck[] | undefined {
  if (!(schema instanceof z.ZodObject) || (schema.def.checks ?? []).length > 0) return undefined;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const checks = names.flatMap((name) => {
    const member = shape[name];
    return (member === undefined ? undefined : textCheck(member)) ?? [];
  });
  const isComplete = checks.length === names.length && Object.keys(shape).length === names.length;
  return isComplete ? checks : undefined;
}
