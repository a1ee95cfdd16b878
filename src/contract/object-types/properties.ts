import * as z from "zod";
import { objectTypeSlug, slug } from "../values.ts";

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
  "geometry",
  "file",
] as const;
/** The type of a property's values (docs/object-types.md has the table). */
export type PropertyType = (typeof propertyTypes)[number];

/** A property's name: usable in `where`, `sort` and dotted paths without quotes. */
export const propertyName = z
  .string()
  .max(128)
  .regex(
    /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/,
    "must start with a letter or _ and have only letters, digits and _",
  );

/** A base role, or the key of a role that the workspace defines. */
const roleNames = z.array(slug.max(63)).min(1).max(50);

/** The roles that read and write a type's records, or one property or link of them. */
export const rights = { readRoles: roleNames.optional(), writeRoles: roleNames.optional() };

/**
 * The effect of a deletion on the records that refer to the deleted one: `restrict` refuses it
 * while there are any, `clear` removes their references, `cascade` deletes them too. `restrict` is
 * the default, except in Object Types that are older than this keyword: there, references stay.
 */
export const onDelete = z.enum(["restrict", "clear", "cascade"]);
export type OnDelete = z.output<typeof onDelete>;

/**
 * The use of a property in screens, alerts and reports: `due` is the date by which a record must
 * be done, `money` an amount in `currency`, `title` the record's name, and `status` its state.
 */
export const meaning = z.enum(["due", "money", "title", "status"]);
export type Meaning = z.output<typeof meaning>;

const choices = z
  .array(z.union([z.string(), z.number()]))
  .min(1)
  .max(1000);

/** The slug in `targetObjectType` again, as it is named at run time (spec 2.2). */
export const runTimeTarget = objectTypeSlug
  .optional()
  .describe("The exact stored slug of the target, in answers; not needed in requests");

interface Targeted {
  readonly targetObjectType?: string | undefined;
  readonly target_type?: string | undefined;
}

export function namesOneTarget({ targetObjectType, target_type }: Targeted): boolean {
  return target_type === undefined || target_type === targetObjectType;
}

export const otherTarget = "must be the slug in targetObjectType";

export const propertyDefinition = z
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
    enum: choices.optional(),
    get items(): z.ZodOptional<typeof propertyDefinition> {
      return propertyDefinition.optional();
    },
    get properties(): z.ZodOptional<z.ZodRecord<typeof propertyName, typeof propertyDefinition>> {
      return z.record(propertyName, propertyDefinition).optional();
    },
    /** The exact stored slug of the target Object Type of a `reference`. */
    targetObjectType: objectTypeSlug.optional(),
    target_type: runTimeTarget,
    /** The effect of deleting the record that a `reference` names. */
    onDelete: onDelete.optional(),
    /** The media types that a `file` accepts, e.g. `image/png` or `image/*`. */
    accept: z.array(z.string().max(255)).max(100).optional(),
    meaning: meaning.optional(),
    /** The currency of a property with the meaning `money`: a code of ISO 4217, e.g. `GBP`. */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be a code of ISO 4217, e.g. GBP")
      .optional(),
    /** The choices of a property with the meaning `status` in which a record is done. */
    closed: choices.optional(),
    readRoles: rights.readRoles,
    writeRoles: rights.writeRoles,
  })
  .meta({ id: "PropertyDefinition" });
/**
 * One property of an Object Type: keywords of JSON Schema, and the platform's own. `datetime`
 * values are stored in UTC with milliseconds; `geopoint` values are GeoJSON points, and
 * `geometry` values any geometry of GeoJSON with rings that do not cross. A `reference` is the id
 * of a record that must exist when it is written; `onDelete` says what its deletion does. A
 * reference that stayed is reported by `storage/doctor`. Declared names are returned in the
 * definition's order. `pattern` matches anywhere, without backreferences and lookaround. `indexed`
 * and `unique` apply to top-level plain values of at most 1,024 bytes; a missing value never
 * conflicts. `meaning` applies to top-level properties, `money` to nested ones too.
 *
 * `readRoles` and `writeRoles` name the roles that read and write a top-level property: base roles,
 * each with those above it, and keys of the workspace's own roles. `tenant-admin` reads and writes
 * all. Without `writeRoles`, those write it who read it. For other callers a property that they may
 * not read does not exist, and a write to one that they may not write is 403.
 */
export type PropertyDefinition = z.output<typeof propertyDefinition>;

/** The properties of an Object Type, or of an object inside one, by name. */
export type PropertyDefinitions = Readonly<Record<string, PropertyDefinition>>;
