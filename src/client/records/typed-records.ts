import type { objectTypeCreation } from "#contract/object-types/object-types.ts";
import type { Expansion } from "#contract/resources/record.ts";
import type { FileValue } from "#contract/resources/files.ts";
import type { JsonObject } from "#contract/values.ts";
import type * as z from "zod";

/** The part of a definition that defines record types; older records may differ. */
export interface TypeSource {
  readonly slug: string;
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly linkTypes?: readonly { readonly name: string; readonly cardinality?: string }[];
  readonly actions?: readonly { readonly name: string }[];
}
/** Object Types that define the types of records, e.g. `typeof objectTypes`. */
export type TypeSources = readonly TypeSource[];

type Immutable<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
  : Value;

/** An Object Type as a project's file defines it (spec 2.2). */
export type ObjectTypeSource = Immutable<z.input<typeof objectTypeCreation>>;

/**
 * Returns the Object Types of a project's file unchanged, with their literal types: an editor
 * checks them, and they define the types of records.
 *
 * ```ts
 * export const objectTypes = defineObjectTypes([
 *   { name: "Tree", slug: "tree", properties: { height: { type: "number", minimum: 0 } } },
 * ]);
 * const client = createClient<typeof objectTypes>({ baseUrl, token, tenantId });
 * ```
 */
export function defineObjectTypes<const Types extends readonly ObjectTypeSource[]>(
  types: Types,
): Types {
  return types;
}

/** A GeoJSON point: longitude, latitude and optional altitude. */
export interface GeoPoint {
  readonly type: "Point";
  readonly coordinates: readonly [number, number] | readonly [number, number, number];
}

/** A geometry of GeoJSON (RFC 7946): WGS 84, longitude first. */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Place }
  | { readonly type: "MultiPoint" | "LineString"; readonly coordinates: readonly Place[] }
  | {
      readonly type: "MultiLineString" | "Polygon";
      readonly coordinates: readonly (readonly Place[])[];
    }
  | {
      readonly type: "MultiPolygon";
      readonly coordinates: readonly (readonly (readonly Place[])[])[];
    }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

type Place = readonly number[];

/** One record, with the data of its Object Type. */
export interface TypedRecord<Data> {
  readonly id: string;
  readonly type?: string | undefined;
  readonly version: number;
  readonly data: Data;
  readonly created_at?: string | undefined;
  readonly updated_at?: string | undefined;
  readonly created_by?: string | null | undefined;
  readonly updated_by?: string | null | undefined;
  /** The records that `expand` names; null for one that does not exist. */
  readonly expanded?: Readonly<Record<string, Expansion>> | undefined;
  readonly [name: string]: unknown;
}

type Shown<Value> = { [Name in keyof Value]: Value[Name] };

/** The type of a property's value; `unknown` for an unknown property type. */
type ValueOf<Property> = Property extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : Property extends { readonly type: infer Type extends keyof ValueTypes<Property> }
    ? ValueTypes<Property>[Type]
    : unknown;

type TextType = "string" | "text" | "email" | "url" | "date" | "datetime" | "reference";

interface ValueTypes<Property> extends Record<TextType, string> {
  integer: number;
  number: number;
  boolean: boolean;
  enum: string | number;
  geopoint: GeoPoint;
  geometry: Geometry;
  file: FileValue;
  array: ItemsOf<Property>;
  object: MembersOf<Property>;
}

type ItemsOf<Property> = Property extends { readonly items: infer Items }
  ? ValueOf<Items>[]
  : unknown[];

type MembersOf<Property> = Property extends { readonly properties: infer Properties }
  ? StoredOf<Properties>
  : JsonObject;

/** Names that always have a value; a file is uploaded after its record. */
type RequiredNames<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly type: "file" }
    ? never
    : Properties[Name] extends { readonly required: true }
      ? Name
      : never;
}[keyof Properties];

/** Names that creation requires: those without a default. */
type GivenNames<Properties> = {
  [Name in RequiredNames<Properties>]: Properties[Name] extends { readonly default: unknown }
    ? never
    : Name;
}[RequiredNames<Properties>];

type FileNames<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly type: "file" } ? Name : never;
}[keyof Properties];

type StoredOf<Properties> = Shown<
  { -readonly [Name in RequiredNames<Properties>]: ValueOf<Properties[Name]> } & {
    -readonly [Name in Exclude<keyof Properties, RequiredNames<Properties>>]?:
      | ValueOf<Properties[Name]>
      | null
      | undefined;
  }
>;

type GivenOf<Properties> = Shown<
  { -readonly [Name in GivenNames<Properties>]: ValueOf<Properties[Name]> } & {
    -readonly [Name in Exclude<keyof Properties, GivenNames<Properties> | FileNames<Properties>>]?:
      | ValueOf<Properties[Name]>
      | null
      | undefined;
  }
>;

type LinksOf<Type> = Type extends { readonly linkTypes: readonly (infer Link)[] }
  ? {
      [One in Link as One extends { readonly name: infer Name extends string } ? Name : never]?:
        | (One extends { readonly cardinality: "one" } ? string : string[])
        | null
        | undefined;
    }
  : Record<never, never>;

/** A record's data as it is stored; optional values may be missing or null. */
export type RecordData<Type extends TypeSource> = Shown<
  StoredOf<Type["properties"]> & LinksOf<Type>
>;

/** The data of a new record: without files, and defaults may be left out. */
export type NewRecordData<Type extends TypeSource> = Shown<
  GivenOf<Type["properties"]> & LinksOf<Type>
>;

/** The slugs of these types; any text if the types are not known. */
export type SlugOf<Types extends TypeSources> = Types[number]["slug"];

/** The type with this slug. */
export type TypeWith<Types extends TypeSources, Slug> = Extract<
  Types[number],
  { readonly slug: Slug }
>;

/** The names of a type's actions; any text if it declares none. */
export type ActionOf<Type> = Type extends {
  readonly actions: readonly { readonly name: infer Name extends string }[];
}
  ? Name
  : string;

/** The names of a type's file properties. */
export type FilePropertyOf<Type extends TypeSource> = FileNames<Type["properties"]> & string;
