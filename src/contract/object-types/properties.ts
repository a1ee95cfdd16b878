import * as z from "zod";
import { slug } from "../values.ts";

const propertyTypes = [
  "string",
  "text",
  "integer",
  "number",
  "boolean",
  "date",
  "datetime",
  "email",
  "url",
  "enum",
  "object",
  "array",
  "reference",
  "geopoint",
  "file",
] as const;
/** What a property's values are (docs/object-types.md has the table). */
export type PropertyType = (typeof propertyTypes)[number];

/** A property's name: what `where`, `sort` and paths can carry without quoting. */
export const propertyName = z
  .string()
  .max(128)
  .regex(
    /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/,
    "must be a letter or _, then letters, digits or _",
  );

/**
 * One property of an Object Type: the platform's own keywords and JSON Schema's that fit.
 * `datetime` values are kept in UTC with milliseconds, `geopoint` values are GeoJSON points, a
 * `reference` is the id of a stored record: one that is written must be there. A record that others
 * refer to can be deleted all the same; their references stay as they are, also through changes of
 * something else, and `storage/doctor` names them. Declared names come in the definition's order,
 * those of an `object` without `properties` in the database's own. `pattern` matches anywhere, in one pass (no
 * backreferences, no looking around). `indexed` and `unique` are for a record's own plain values of
 * at most 1,024 bytes; what has no value is not held to be unique.
 */
export interface PropertyDefinition {
  type: PropertyType;
  required?: boolean | undefined;
  unique?: boolean | undefined;
  indexed?: boolean | undefined;
  searchable?: boolean | undefined;
  default?: unknown;
  displayName?: string | undefined;
  description?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  pattern?: string | undefined;
  enum?: (string | number)[] | undefined;
  items?: PropertyDefinition | undefined;
  properties?: Record<string, PropertyDefinition> | undefined;
  /** `reference`: the exact stored slug of the Object Type that is pointed to. */
  targetObjectType?: string | undefined;
  /** `file`: accepted media types, e.g. `image/png` or `image/*`. */
  accept?: string[] | undefined;
}

export const propertyDefinition: z.ZodType<PropertyDefinition, PropertyDefinition> = z
  .strictObject({
    type: z.enum(propertyTypes),
    required: z.boolean().optional(),
    unique: z.boolean().optional(),
    indexed: z.boolean().optional(),
    searchable: z.boolean().optional(),
    default: z.unknown().optional(),
    displayName: z.string().max(200).optional(),
    description: z.string().max(2000).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.int().min(0).optional(),
    maxLength: z.int().min(0).optional(),
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    pattern: z.string().max(1000).optional(),
    enum: z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .max(1000)
      .optional(),
    get items() {
      return propertyDefinition.optional();
    },
    get properties() {
      return z.record(propertyName, propertyDefinition).optional();
    },
    targetObjectType: slug.optional(),
    accept: z.array(z.string().max(255)).max(100).optional(),
  })
  .meta({ id: "PropertyDefinition" });
