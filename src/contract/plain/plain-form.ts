import type * as z from "zod";

const plainForms = new WeakMap<object, z.ZodType>();

/** Notes that a schema returns each value of `form` as it is, and may take other values. */
export function withPlainForm<Schema extends z.ZodType>(schema: Schema, form: z.ZodType): Schema {
  plainForms.set(schema, form);
  return schema;
}

export function plainFormOf<Schema extends object>(schema: Schema): z.ZodType | undefined {
  return plainForms.get(schema);
}
