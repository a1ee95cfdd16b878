import { Refusal } from "#contract/problems.ts";
import { systemFields } from "#contract/shared-names.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid, type Place } from "../../kit/faults.ts";

const system: ReadonlySet<string> = new Set(systemFields);

/** The fields of a declared route: its names for properties of the type, or the type's own. */
export class RenamedFields {
  readonly #publicNames: ReadonlyMap<string, string>;

  constructor(private readonly fields: Readonly<Record<string, string>> | undefined) {
    this.#publicNames = new Map(
      Object.entries(fields ?? {}).map(([name, property]) => [property, name]),
    );
  }

  /** The properties of the fields; undefined where all properties have their own names. */
  get properties(): readonly string[] | undefined {
    return this.fields === undefined ? undefined : Object.values(this.fields);
  }

  /** The property of a field; undefined for a name that the route does not have. */
  property(name: string): string | undefined {
    return this.fields === undefined ? name : ownMember(this.fields, name);
  }

  /** The name of a property in answers; undefined for one that the route leaves out. */
  publicName(property: string): string | undefined {
    return this.fields === undefined ? property : this.#publicNames.get(property);
  }

  /** The data with the names of properties; 422 for a name that the route does not have. */
  toData(body: JsonObject): JsonObject {
    const unknown = Object.keys(body).filter((name) => this.property(name) === undefined);
    if (unknown.length > 0) {
      throw invalid(unknown.map((name) => faultAt("body", [name], this.#notAField())));
    }
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [this.property(name) ?? name, value]),
    );
  }

  /** The record with the names of the route in its data. */
  toAnswer(record: JsonObject): JsonObject {
    const { data } = record;
    if (this.fields === undefined || !isJsonObject(data)) return record;
    const renamed = Object.entries(this.fields).flatMap(([name, property]) => {
      const value = ownMember(data, property);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...record, data: Object.fromEntries(renamed) };
  }

  /** A filter with the names of properties, at each level of `$and`, `$or` and `$nor`. */
  toWhere(where: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(where).map(([name, value]) => {
        if (name.startsWith("$")) return [name, this.#clauses(value)];
        return [this.#path(name, "where"), value];
      }),
    );
  }

  toSort(sort: string): string {
    return sort
      .split(",")
      .map((key) => {
        const isDescending = key.startsWith("-");
        const path = this.#path(isDescending ? key.slice(1) : key, "sort");
        return isDescending ? `-${path}` : path;
      })
      .join(",");
  }

  #clauses(value: unknown): unknown {
    if (!Array.isArray(value)) return value;
    return value.map((clause) => (isJsonObject(clause) ? this.toWhere(clause) : clause));
  }

  #path(path: string, parameter: string): string {
    const [first = "", ...inner] = path.split(".");
    if (inner.length === 0 && system.has(first)) return path;
    const property = this.property(first);
    if (property !== undefined) return [property, ...inner].join(".");
    throw invalid([faultAt("query", [parameter, path], this.#notAField())]);
  }

  #notAField(): string {
    return `is not a field of this route; it has ${Object.keys(this.fields ?? {}).join(", ")}`;
  }

  /** A refusal of the records' own route, with the pointers of this one. */
  toRefusal({ code, message, options }: Refusal, place: Place): Refusal {
    const errors = options.errors?.map((fault) => ({
      ...fault,
      pointer: this.#pointer(fault.pointer, place),
    }));
    return new Refusal(code, {
      ...options,
      detail: message,
      ...given({ errors }),
    });
  }

  /** `#/data/licence_holder` or `#/where/licence_holder/$gt` of the records' route. */
  #pointer(given: string, place: Place): string {
    const found = /^#\/(data|where|sort|parameters)\/([^/]+)(.*)$/.exec(given);
    if (found === null) return given;
    const [, part = "", property = "", inner = ""] = found;
    const isAtRoot = part === "data" || part === "parameters";
    const above = isAtRoot ? "" : `/${place === "body" ? part : `${place}/${part}`}`;
    return `#${above}/${this.publicName(property) ?? property}${inner}`;
  }
}
