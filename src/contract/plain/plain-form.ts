import type * as z from "zod";

const plainForms = new WeakMap<object, z.ZodType>();

/** Notes that a schema returns each value of `form` as it is, e.g. a number that may be text too. */
export function withPlainForm<Schema extends z.ZodType>(schema: Schema, form: z.ZodType): Schema {
  plainForms.set(schema, form);
  return schema;
}

export function plainFormOf<Schema extends object>(schema: Schema): z.ZodType | undefined {
  return plainForms.get(schema);
}
