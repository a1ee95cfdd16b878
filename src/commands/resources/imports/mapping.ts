import * as z from "zod";
import { usageError } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { timeZone } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { isSystem } from "../records/fields.ts";
import {
  cellReader,
  flagNames,
  type CellReader,
  type SettingNames,
  type ValueForms,
} from "./values.ts";

const forms = {
  date: z.string().optional(),
  number: z.string().optional(),
  timeZone: timeZone.optional(),
  true: z.string().optional(),
  false: z.string().optional(),
};

/** The file in `--mapping`: the property of each column, and how values are written. */
export const mappingFile = z.strictObject({
  columns: z
    .record(
      z.string(),
      z.union([
        z.string(),
        z.null(),
        z.strictObject({ property: z.string(), empty: z.literal("null").optional(), ...forms }),
      ]),
    )
    .optional(),
  ...forms,
  key: z.string().optional(),
  sheet: z.string().optional(),
  header: z.string().optional(),
});
export type MappingFile = z.output<typeof mappingFile>;

export interface MappedColumn {
  readonly property: string;
  readonly read: CellReader;
  /** An empty cell removes the value of a record; it leaves the value otherwise. */
  readonly clears: boolean;
  /** True if `""` is an empty text. In other columns it is no value. */
  readonly takesEmptyText: boolean;
  /** True if the mapping names how values are written. */
  readonly hasForms: boolean;
  /** True if its texts are paths of files to upload. */
  readonly namesFiles: boolean;
}

/** Columns that a rejects file adds. */
export const rejectColumns = ["#row", "#column", "#reason"] as const;

/** The columns in `--map Column=property`; without a property the column is left out. */
export function mappedByFlags(flags: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    flags.map((flag) => {
      const at = flag.lastIndexOf("=");
      if (at < 1) throw usageError(`--map ${flag} has no "="`, "Give --map 'Column=property'");
      return [flag.slice(0, at), flag.slice(at + 1) || null];
    }),
  );
}

/** Which property takes the values of each column. */
export class Mapping {
  readonly #shapes: ReadonlyMap<string, { readonly type: string; readonly enum?: unknown }>;
  readonly #plain: ReadonlyMap<string, string>;
  readonly #given: NonNullable<MappingFile["columns"]>;
  readonly #forms: ValueForms;
  /** The columns of the table, once they are checked. */
  #names: ReadonlySet<string> = new Set();

  /** Throws E302 for a property that the type does not have, and for a form that is not known. */
  constructor(
    private readonly type: ObjectType,
    { columns = {}, ...file }: MappingFile,
    readonly settingNames: SettingNames = flagNames,
  ) {
    const links = (type.linkTypes ?? []).map(({ name, cardinality }) => {
      return [name, { type: cardinality === "one" ? "reference" : "array" }] as const;
    });
    this.#shapes = new Map([...Object.entries(type.properties), ...links]);
    this.#plain = new Map([...this.#shapes.keys()].map((name) => [plain(name), name]));
    this.#given = columns;
    this.#forms = file;
    for (const [column, target] of Object.entries(columns)) {
      const property = typeof target === "object" ? target?.property : target;
      if (property !== undefined && !this.#shapes.has(property)) {
        throw invalid(`the column "${column}" has no place: ${type.slug} has no "${property}"`);
      }
      this.column(column);
    }
  }

  /** The place of a column; `undefined` if no property has its name, `null` if it is left out. */
  column(name: string): MappedColumn | null | undefined {
    const given = ownMember(this.#given, name);
    if (given === null) return null;
    const bare = name.replace(/^data\./, "");
    if (given === undefined && this.#isLeftOut(name)) return null;
    const property =
      typeof given === "object"
        ? given.property
        : (given ?? (this.#shapes.has(bare) ? bare : this.#plain.get(plain(bare))));
    const shape = property === undefined ? undefined : this.#shapes.get(property);
    if (property === undefined || shape === undefined) return undefined;
    const own = typeof given === "object" ? given : {};
    const used = formsFor(shape.type, { ...this.#forms, ...own });
    return {
      property,
      read: cellReader(shape, used, this.settingNames),
      clears: typeof given === "object" && given.empty === "null",
      takesEmptyText: shape.type === "string" || shape.type === "text",
      hasForms: Object.values(used).some((form) => form !== undefined),
      namesFiles: shape.type === "file",
    };
  }

  /** Throws E302 for columns without a place, for two with one, and for given ones not present. */
  check(names: readonly (string | undefined)[], skipsUnmatched: boolean): void {
    const present = names.filter((name) => name !== undefined);
    this.#names = new Set(present);
    const absent = Object.keys(this.#given).filter((name) => !present.includes(name));
    if (absent.length > 0) throw invalid(`the file has no column ${listed(absent)}`);
    const taken = new Map<string, string>();
    for (const name of present) {
      const property = this.column(name)?.property;
      if (property === undefined) continue;
      const other = taken.get(property);
      if (other !== undefined) {
        throw invalid(`the columns "${other}" and "${name}" are both for ${property}`);
      }
      taken.set(property, name);
    }
    const lost = present.filter((name) => this.column(name) === undefined);
    if (taken.size === 0) throw invalid(`no column is a property of ${this.type.slug}`);
    if (lost.length === 0 || skipsUnmatched) return;
    throw invalid(
      `${this.type.slug} has no property for ${listed(lost)}: give --map 'Column=property', ` +
        "--map 'Column=' to leave one out, or --skip-unmatched",
    );
  }

  /** System fields are read-only, and the reasons of a rejects file are no data. */
  #isLeftOut(name: string): boolean {
    if (rejectColumns.some((own) => own === name)) return true;
    if (!isSystem.has(name) || name === "data") return false;
    // An export names a property of such a name `data.type`, next to the system field.
    return !this.#shapes.has(name) || this.#names.has(`data.${name}`);
  }
}

/** The forms that matter for a type of property. */
function formsFor(type: string, all: ValueForms): ValueForms {
  if (type === "date") return { date: all.date };
  if (type === "datetime") return { date: all.date, timeZone: all.timeZone };
  if (type === "number" || type === "integer") return { number: all.number };
  return type === "boolean" ? { true: all.true, false: all.false } : {};
}

/** Letters and digits only, so that "Ref. No" is `refNo`. */
function plain(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function invalid(details: string): CatalogError {
  return catalogError("E302", { details });
}
