import type { ReportDefinition, ReportSource } from "#contract/geo/reports.ts";
import { maximumPageLimit } from "#contract/limits.ts";
import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import {
  boxPolygon,
  flatBoxes,
  type Box,
  type Geometry,
  type Position,
} from "#lib/geometry/geometry.ts";
import type { WorkspaceScope } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";
import { metricFault, type ResourceService } from "../../records/service.ts";
import { requireDataset } from "../datasets/datasets.ts";
import type { DatasetRecord } from "../datasets/dataset-store.ts";
import { featureFilter } from "../datasets/feature-filter.ts";
import { matching } from "../datasets/feature-pages.ts";
import { SpatialTest } from "../datasets/spatial-test.ts";
import { geometryOf } from "../record-places.ts";

const mostItems = 100_000;

/** A record or a feature, with the properties that the caller may read. */
export interface ReportItem {
  readonly id: string;
  readonly geometry: Geometry | undefined;
  readonly properties: JsonObject;
}

/** The items that a report needs: near a position, or in a box that may cross 180 degrees. */
export type Narrowing =
  | { readonly near: { readonly position: Position; readonly metres: number } }
  | { readonly box: Box }
  | undefined;

export interface ReportScope {
  readonly work: Work;
  readonly workspace: WorkspaceScope;
  readonly signal: AbortSignal;
  /** Items that one report reads; 100,000 by default. */
  readonly mostItems?: number;
}

export interface ItemParts {
  readonly objectTypes: Pick<ObjectTypeService, "find">;
  readonly records: Pick<ResourceService, "queries">;
}

/** Reads the items of reports with the rights of the caller. */
export class ReportItems {
  constructor(private readonly parts: ItemParts) {}

  /** Refuses 409 for a missing source, 422 for a property that cannot be used, 403. */
  async requireSource(scope: ReportScope, definition: ReportDefinition): Promise<void> {
    const { source, metrics = {} } = definition;
    if ("dataset" in source) {
      await reportDataset(scope, source.dataset);
      return;
    }
    const type = await this.#type(scope, source.type);
    const faults = Object.entries(metrics).flatMap(([name, { op, field }]) => {
      const fault = field === undefined ? undefined : metricFault(type, field, op);
      return fault === undefined ? [] : [faultAt("body", ["metrics", name, "field"], fault)];
    });
    const kind = ownMember(type.properties, source.property)?.type;
    if (kind !== "geopoint" && kind !== "geometry") {
      const detail = "is not a geopoint or a geometry of this type";
      faults.push(faultAt("body", ["source", "property"], detail));
    }
    if (faults.length > 0) throw invalid(faults);
  }

  /** Refuses 422 after the most items. `fields` are the properties of records that are needed. */
  async *read(
    scope: ReportScope,
    definition: Pick<ReportDefinition, "source" | "where">,
    narrowing: Narrowing,
    fields?: readonly string[],
  ): AsyncGenerator<ReportItem, void, void> {
    const { source, where } = definition;
    const items =
      "dataset" in source
        ? featuresOf(scope, source.dataset, where, narrowing)
        : this.#records(scope, { source, where, narrowing, fields });
    let count = 0;
    for await (const item of items) {
      scope.signal.throwIfAborted();
      count += 1;
      if (count > (scope.mostItems ?? mostItems)) throw tooManyItems(scope.mostItems ?? mostItems);
      yield item;
    }
  }

  /** The names of the properties of items that the caller may read; undefined for all. */
  async readableNames(
    scope: ReportScope,
    { source, where, by }: ReportDefinition,
  ): Promise<ReadonlySet<string> | undefined> {
    if (by.kind === "areas") await reportDataset(scope, by.dataset);
    if ("dataset" in source) return undefined;
    const { work, workspace, signal } = scope;
    // A filter of hidden properties is refused as in a run.
    const query = { types: [source.type], where, limit: 1 };
    await this.parts.records.queries.run(work, workspace.id, query, signal);
    return new Set(Object.keys((await this.#type(scope, source.type)).properties));
  }

  /** The nearest records, the nearest first. */
  async nearestRecords(
    { work, workspace, signal }: ReportScope,
    { source, where }: { readonly source: RecordSource; readonly where: JsonObject | undefined },
    near: { readonly position: Position; readonly metres: number | undefined },
    limit: number,
  ): Promise<ReportItem[]> {
    const filter = both(where, nearFilter(source, near));
    const query = { types: [source.type], where: filter, limit };
    const { items } = await this.parts.records.queries.run(work, workspace.id, query, signal);
    return items.map((item) => recordItem(source, item));
  }

  async *#records(
    { work, workspace, signal }: ReportScope,
    {
      source,
      where,
      narrowing,
      fields,
    }: {
      readonly source: RecordSource;
      readonly where: JsonObject | undefined;
      readonly narrowing: Narrowing;
      readonly fields: readonly string[] | undefined;
    },
  ): AsyncGenerator<ReportItem, void, void> {
    const names = fields && [...new Set([source.property, ...fields.map(firstName)])];
    let cursor: string | undefined;
    do {
      const query = {
        types: [source.type],
        where: both(where, narrowing && narrowed(source, narrowing)),
        sort: "created_at",
        limit: maximumPageLimit,
        ...(names === undefined ? {} : { fields: names.join(",") }),
        cursor,
      };
      const page = await this.parts.records.queries.run(work, workspace.id, query, signal);
      for (const item of page.items) yield recordItem(source, item);
      cursor = page.hasNextPage === true ? (page.nextCursor ?? undefined) : undefined;
    } while (cursor !== undefined);
  }

  async #type({ work, workspace }: ReportScope, slug: string): Promise<ReadableType> {
    requirePermission(workspace, "resources.query");
    const found = await this.parts.objectTypes.find(workspace.id, slug);
    const type = found && readableFields(work, found);
    if (type !== undefined) return type;
    throw new Refusal("conflict", {
      detail: `Cannot run this report: there is no Object Type "${slug}" here. Change its source`,
    });
  }
}

type RecordSource = Extract<ReportSource, { readonly type: string }>;

/** The dataset of a report; 409 without it, and 403 for a role that may not search features. */
export async function reportDataset(
  { work, workspace }: ReportScope,
  slug: string,
): Promise<DatasetRecord> {
  requirePermission(workspace, "geoFeatures.query");
  try {
    return await requireDataset(work.read, workspace.id, slug);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "not-found")) throw error;
    throw new Refusal("conflict", {
      detail: `Cannot run this report: there is no dataset "${slug}" here. Create it first`,
      cause: error,
    });
  }
}

async function* featuresOf(
  scope: ReportScope,
  slug: string,
  where: JsonObject | undefined,
  narrowing: Narrowing,
): AsyncGenerator<ReportItem, void, void> {
  const { workspace_id: workspaceId, generation } = await reportDataset(scope, slug);
  const filter = where === undefined ? undefined : featureFilter(where, ["where"]);
  const space =
    narrowing === undefined || "near" in narrowing ? (narrowing ?? {}) : { bbox: narrowing.box };
  const reader = scope.work.scan.with({ share: workspaceId, signal: scope.signal });
  const source = { workspaceId, generation, where: filter };
  for await (const { row } of matching(reader, source, SpatialTest.of(space, "body"), 0)) {
    // The store has checked both texts before it wrote them.
    const geometry = JSON.parse(row.geometry ?? "null") as Geometry | null;
    const properties = JSON.parse(row.properties) as JsonObject;
    yield { id: row.id, geometry: geometry ?? undefined, properties };
  }
}

function recordItem(
  { property }: RecordSource,
  { id, data }: { readonly id: string; readonly data: JsonObject },
): ReportItem {
  return { id, geometry: geometryOf(data[property]), properties: data };
}

function both(one: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  return one === undefined || other === undefined ? (one ?? other) : { $and: [one, other] };
}

function narrowed(source: RecordSource, narrowing: NonNullable<Narrowing>): JsonObject {
  if ("near" in narrowing) return nearFilter(source, narrowing.near);
  const { property } = source;
  const boxes = flatBoxes(narrowing.box).flatMap(([west, south, east, north]): JsonObject[] => {
    const coordinates = boxPolygon([west, south, east, north]);
    const $box = [
      [west, south],
      [east, north],
    ];
    // A point on the boundary is in the box, and a geometry needs only a part in it.
    return [
      { [property]: { $geoWithin: { $box } } },
      { [property]: { $geoIntersects: { $geometry: { type: "Polygon", coordinates } } } },
    ];
  });
  return { $or: boxes };
}

function nearFilter(
  { property }: RecordSource,
  { position, metres }: { readonly position: Position; readonly metres: number | undefined },
): JsonObject {
  const $geometry = { type: "Point", coordinates: position };
  const limit = metres === undefined ? {} : { $maxDistance: metres };
  return { [property]: { $near: { $geometry, ...limit } } };
}

export function firstName(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

function requirePermission({ permissions, name = "" }: WorkspaceScope, permission: string): void {
  if (permissions === undefined || permissions.has(permission)) return;
  throw new Refusal("permission-denied", {
    detail: `This needs the permission ${permission}, which the role ${name} lacks`,
    members: { permission },
  });
}

function tooManyItems(most: number): Refusal {
  const limit = most.toLocaleString("en");
  const next = "narrow the report's filter, or ask for a stored result";
  return invalid([faultAt("body", ["where"], `must leave at most ${limit} items: ${next}`)]);
}
