import type * as z from "zod";
import type { Fallback } from "./plain/fallbacks.ts";

/**
 * The schemas of the contract describe the embedded platform. The marks in this file say what holds
 * at every deployment of the specification, and a client derives its own forms from them:
 *
 * - in answers only members that are `named` are required; the others have a fallback;
 * - in requests an id is any text, unless it is the id of a workspace.
 */

const namedSchemas = new WeakSet<object>();
const otherNames = new WeakMap<object, readonly string[]>();
const fallbacks = new WeakMap<object, Fallback>();
const sentForms = new WeakMap<object, z.ZodType>();
const answeredForms = new WeakMap<object, z.ZodType>();

/** A member of an answer that the specification names, so that every deployment sends it. */
export function named<Schema extends z.ZodType>(schema: Schema): Schema {
  const own = copyOf(schema);
  namedSchemas.add(own);
  return own;
}

/** A member of an answer that other deployments may send under one of these names. */
export function alsoNamed<Schema extends z.ZodType>(
  schema: Schema,
  ...names: readonly string[]
): Schema {
  const own = copyOf(schema);
  otherNames.set(own, names);
  return own;
}

/** A member of an answer that is computed when a deployment does not send it. */
export function otherwise<Schema extends z.ZodType>(schema: Schema, fallback: Fallback): Schema {
  const own = copyOf(schema);
  fallbacks.set(own, fallback);
  return own;
}

/** A part of a request that the embedded platform restricts more than a client does. */
export function sentAs<Schema extends z.ZodType>(schema: Schema, form: z.ZodType): Schema {
  const own = copyOf(schema);
  sentForms.set(own, form);
  return own;
}

/**
 * A part of an answer that a client reads by a shorter form: each value that has the schema has the
 * form too, which changes nothing of it.
 */
export function answeredAs<Schema extends z.ZodType>(schema: Schema, form: z.ZodType): Schema {
  const own = copyOf(schema);
  answeredForms.set(own, form);
  return own;
}

/** The form by which a client reads a part of an answer. */
export function answeredForm(schema: z.core.$ZodType): z.core.$ZodType {
  return answeredForms.get(schema) ?? schema;
}

export function isNamed(schema: object): boolean {
  return namedSchemas.has(schema);
}

export function otherNamesOf(schema: object): readonly string[] {
  return otherNames.get(schema) ?? [];
}

export function fallbackOf(schema: object): Fallback | undefined {
  return fallbacks.get(schema);
}

/** Spellings of a name that deployments take for one: `created_at`, `created-at`, `createdAt`. */
export function folded(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** A copy that keeps the marks of its original, so that marks can be combined. */
function copyOf<Schema extends z.ZodType>(schema: Schema): Schema {
  const own = schema.clone();
  if (namedSchemas.has(schema)) namedSchemas.add(own);
  const names = otherNames.get(schema);
  if (names !== undefined) otherNames.set(own, names);
  const fallback = fallbacks.get(schema);
  if (fallback !== undefined) fallbacks.set(own, fallback);
  const form = sentForms.get(schema);
  if (form !== undefined) sentForms.set(own, form);
  return own;
}

const derived = new WeakMap<object, z.ZodType>();

/** The form of a request's schema that a client checks: ids are any text. */
export function sentForm<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  return formOf(schema) as z.ZodType<z.output<Schema>>;
}

function formOf(schema: z.ZodType): z.ZodType {
  const known = sentForms.get(schema) ?? derived.get(schema);
  if (known !== undefined) return known;
  // A definition that contains itself has no ids of records.
  derived.set(schema, schema);
  const form = rebuilt(schema);
  derived.set(schema, form);
  return form;
}

/** The schema with other parts, or the same schema if no part has another form. */
function rebuilt(schema: z.ZodType): z.ZodType {
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  switch (def.type) {
    case "object": {
      const parts = Object.entries(def.shape);
      const forms = parts.map(([name, part]) => [name, formOf(part as z.ZodType)] as const);
      if (forms.every(([, form], index) => form === parts[index]?.[1])) return schema;
      return withParts(schema, { shape: Object.fromEntries(forms) });
    }
    case "array":
      return withPart(schema, "element", def.element);
    case "record":
      return withPart(schema, "valueType", def.valueType);
    case "optional":
    case "nullable":
    case "default":
      return withPart(schema, "innerType", def.innerType);
    case "union": {
      const options = def.options.map((option) => formOf(option as z.ZodType));
      if (options.every((option, index) => option === def.options[index])) return schema;
      return withParts(schema, { options });
    }
    default:
      return schema;
  }
}

function withPart(schema: z.ZodType, name: string, part: z.core.$ZodType): z.ZodType {
  const form = formOf(part as z.ZodType);
  return form === part ? schema : withParts(schema, { [name]: form });
}

function withParts(schema: z.ZodType, parts: object): z.ZodType {
  return schema.clone({ ...schema._zod.def, ...parts });
}
