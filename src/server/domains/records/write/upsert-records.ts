import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Work } from "../../../work/work.ts";
import { isNumeric } from "../../../fields/slots.ts";
import { faultAt, invalid, withGiven } from "../../../kit/faults.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import { Overtaken, readableIn, underType } from "../current-type.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { listRecords } from "../store/read/record-pages.ts";
import { creationOrder } from "../store/read/sort.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { MadeRecord, RecordCreations } from "./create-records.ts";
import { mergePatch, replacement, type RecordUpdates } from "./update-records.ts";
import type { WriteScope, WriteServices } from "./write-unit.ts";

/** A write of the record with this value of a unique property, whether it exists or not. */
export interface RecordUpsert {
  readonly property: string;
  readonly value: string;
  readonly data: JsonObject;
  /** Replaces the stored data instead of merging into it (RFC 7396). */
  readonly replace?: boolean | undefined;
}

export type Upserted =
  | { readonly isNew: true; readonly made: MadeRecord }
  | { readonly isNew: false; readonly resource: Resource };

export class RecordUpserts {
  /** Callers of one value would overtake each other until all attempts are used up. */
  readonly #lock = new KeyedLock();

  constructor(
    private readonly services: Pick<WriteServices, "objectTypes">,
    private readonly creations: RecordCreations,
    private readonly updates: RecordUpdates,
  ) {}

  /** 422 for a property that is not unique, and for data with another value of it. */
  run(work: Work, scope: WriteScope, upsert: RecordUpsert): Promise<Upserted> {
    const { workspaceId, slug } = scope;
    const key = JSON.stringify([workspaceId, slug, upsert.property, upsert.value]);
    return this.#lock.run(key, () =>
      underType(work, this.services.objectTypes, workspaceId, slug, async (whole) => {
        const type = readableIn(work, whole);
        const { value, data } = upsertData(type, upsert);
        const [found] = await recordsWith(work, type, upsert.property, [value]);
        return found === undefined
          ? this.#create(work, scope, upsert, data)
          : this.#change(work, scope, upsert, { id: found.id, data });
      }),
    );
  }

  async #create(
    work: Work,
    scope: WriteScope,
    { property }: RecordUpsert,
    data: JsonObject,
  ): Promise<Upserted> {
    try {
      const made = await this.creations.single(work, scope, { data }, undefined, true);
      return { isNew: true, made };
    } catch (error) {
      // Another request has created the record since it was looked for.
      const place = pointer("data", property);
      const isTaken =
        error instanceof Refusal &&
        error.code === "already-exists" &&
        error.options.errors?.every((fault) => fault.pointer === place) === true;
      throw isTaken ? new Overtaken() : error;
    }
  }

  async #change(
    work: Work,
    scope: WriteScope,
    { replace }: RecordUpsert,
    item: { readonly id: string; readonly data: JsonObject },
  ): Promise<Upserted> {
    try {
      const editOf = replace === true ? replacement : mergePatch;
      return { isNew: false, resource: await this.updates.single(work, scope, item, editOf) };
    } catch (error) {
      // Another request has deleted the record since it was found.
      throw error instanceof Refusal && error.code === "not-found" ? new Overtaken() : error;
    }
  }
}

/** Where a request names the property, its value and the data, for the pointers of faults. */
export interface UpsertPlaces {
  fault(part: "property" | "value" | "data", detail: string): Fault;
}

const placesOfRoute = ({ property }: RecordUpsert): UpsertPlaces => ({
  fault: (part, detail) =>
    part === "data" ? faultAt("body", ["data", property], detail) : faultAt("path", [part], detail),
});

/** The data with the value that the text stands for; 422 where they have another one. */
export function upsertData(
  type: CompiledType,
  upsert: RecordUpsert,
  places: UpsertPlaces = placesOfRoute(upsert),
): { readonly value: JsonObject[string]; readonly data: JsonObject } {
  const { property, data } = upsert;
  const value = valueOf(type, upsert, places);
  const given = ownMember(data, property);
  if (given === undefined) return { value, data: { ...data, [property]: value } };
  if (sameJson(given, value)) return { value, data };
  throw invalid([places.fault("data", "must be the value that names the record")]);
}

function valueOf(
  type: CompiledType,
  { property, value }: RecordUpsert,
  places: UpsertPlaces,
): JsonObject[string] {
  const definition = ownMember(type.properties, property);
  if (definition?.unique !== true) {
    throw invalid([places.fault("property", "must be a unique property of this type")]);
  }
  const parsed = parsedValue(definition, value);
  if (parsed !== undefined) return parsed;
  const wanted = definition.type === "boolean" ? "true or false" : "a number";
  throw invalid([places.fault("value", withGiven(`must be ${wanted}`, value))]);
}

function parsedValue(definition: PropertyDefinition, text: string): unknown {
  if (definition.type === "boolean") {
    return text === "true" ? true : text === "false" ? false : undefined;
  }
  if (!isNumeric(definition)) return text;
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** The records that have these values of a unique property, in one statement. */
export async function recordsWith(
  work: Work,
  type: CompiledType,
  property: string,
  values: readonly JsonObject[string][],
): Promise<readonly StoredRecord[]> {
  const { records } = await listRecords(work, {
    type,
    condition: requireCondition({ [property]: { $in: values } }, ["value"], [type]),
    keys: creationOrder(),
    after: undefined,
    offset: 0,
    limit: values.length,
  });
  return records;
}
