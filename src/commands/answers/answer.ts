import * as z from "zod";

/** The JSON that a command prints, as a schema. */
export interface Answer {
  readonly schema: z.ZodType;
  /** `lines`: one value per line, by this schema; otherwise one value. */
  readonly form?: "lines";
}

/** The JSON that a route replies; an empty reply is printed as `null`. */
export function reply(definition: {
  readonly reply: { readonly type: string; readonly schema?: z.ZodType };
}): Answer {
  return { schema: definition.reply.schema ?? z.null() };
}

/** A local answer. It has these members and no others. */
export function answer(shape: z.core.$ZodLooseShape): Answer {
  return { schema: z.strictObject(shape) };
}

/** One of several answers, which depend on the options. */
export function oneOf(first: Answer, ...others: readonly Answer[]): Answer {
  return { schema: z.union([first.schema, ...others.map(({ schema }) => schema)]) };
}

/** An answer with additional members. */
export function extended({ schema }: Answer, shape: z.core.$ZodLooseShape): Answer {
  return { schema: z.intersection(schema, z.looseObject(shape)) };
}

/** Where a value comes from, e.g. an environment variable. */
export function sourced(value: z.ZodType): z.ZodType {
  return z.strictObject({ value, source: z.string(), name: z.string().optional() });
}

/** Facts about the request of a write (spec 2.11), without credentials. */
export const transportProof = z.strictObject({
  publicApiUrl: z.string(),
  tenantId: z.string().optional(),
  proofKind: z.literal("transport-response"),
});
