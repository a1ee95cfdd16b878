import type { ReportBy, ReportDefinition, ReportMetrics } from "#contract/geo/reports.ts";
import type { JsonObject } from "#contract/values.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import { distanceTo, metresTo } from "../../../kit/geometry/distance.ts";
import type { Geometry, Position } from "#lib/geometry/geometry.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import { nameProperties } from "../datasets/dataset-store.ts";
import { AreaGroups } from "./area-groups.ts";
import { Buffer } from "./buffer.ts";
import { bufferGeometry, onlyCount, requireDefinition } from "./definition.ts";
import { GridGroups } from "./grid-groups.ts";
import type { Groups } from "./groups.ts";
import {
  reportDataset,
  ReportItems,
  type ItemParts,
  type Narrowing,
  type ReportItem,
  type ReportScope,
} from "./report-items.ts";
import { definitionOf, type Reports } from "./reports.ts";
import { RingGroups } from "./ring-groups.ts";

const mostRows = 10_000;
/** Characters of the rows of one answer. */
const mostCharacters = 32 * 1024 * 1024;
/** The first distance in which the nearest features are looked for, and its growth. */
const firstMetres = 1_000;
const growth = 4;
const halfEarthMetres = 20_100_000;

/** A row with its geometry, whatever the form of the answer. */
export interface PlacedRow {
  readonly key: string;
  readonly name?: string | null;
  readonly metrics?: JsonObject;
  readonly distance?: number;
  readonly geometry: Geometry | null;
  readonly properties?: JsonObject;
}

export interface PlacedResult {
  readonly report: string;
  readonly kind: ReportBy["kind"];
  readonly at: string;
  readonly items: number;
  readonly placed: number;
  readonly rows: readonly PlacedRow[];
}

type GroupBy = Extract<ReportBy, { readonly kind: "areas" | "grid" | "rings" }>;

/** Runs stored reports with the rights of the caller. */
export class ReportRuns {
  readonly #items: ReportItems;

  constructor(
    parts: ItemParts,
    private readonly reports: Pick<Reports, "require">,
    private readonly now: () => Date,
  ) {
    this.#items = new ReportItems(parts);
  }

  async run(scope: ReportScope, slug: string): Promise<PlacedResult> {
    const place = { workspaceId: scope.workspace.id, report: slug };
    const definition = definitionOf(await this.reports.require(scope.work, place));
    const found = await this.runDefinition(scope, definition);
    const at = this.now().toISOString();
    return { report: slug, kind: definition.by.kind, at, ...found };
  }

  /** The rows of a stored result, without properties that the caller may not read. */
  async readableRows(
    scope: ReportScope,
    definition: ReportDefinition,
    rows: readonly PlacedRow[],
  ): Promise<readonly PlacedRow[]> {
    await this.#items.requireSource(scope, definition);
    const names = await this.#items.readableNames(scope, definition);
    if (names === undefined) return rows;
    return rows.map((row) => {
      if (row.properties === undefined) return row;
      const own = Object.entries(row.properties).filter(([name]) => names.has(name));
      return { ...row, properties: Object.fromEntries(own) };
    });
  }

  async runDefinition(
    scope: ReportScope,
    definition: ReportDefinition,
  ): Promise<Pick<PlacedResult, "items" | "placed" | "rows">> {
    // An archive brings definitions that no request has checked.
    requireDefinition(definition);
    await this.#items.requireSource(scope, definition);
    const { by } = definition;
    if (by.kind === "nearest") return this.#nearest(scope, definition, by);
    if (by.kind === "buffer") return this.#buffer(scope, definition, by);
    return this.#grouped(scope, definition, by);
  }

  async #grouped(scope: ReportScope, definition: ReportDefinition, by: GroupBy) {
    const { metrics = onlyCount } = definition;
    const groups = await this.#groups(scope, by, metrics);
    const fields = Object.values(metrics).flatMap(({ field }) => field ?? []);
    const ticks = new TickShare(scope.workspace.id);
    let [items, placed] = [0, 0];
    for await (const { geometry, properties } of this.#items.read(
      scope,
      definition,
      narrowingOf(by),
      fields,
    )) {
      await ticks.yieldWhenUsed();
      items += 1;
      const found = geometry === undefined ? [] : groups.of(geometry);
      for (const { totals } of found) totals.add(properties);
      if (found.length > 0) placed += 1;
    }
    const rows = groups.rows().map(({ key, name, geometry, totals }) => {
      const named = by.kind === "areas" && (by.name !== undefined || name !== null) ? { name } : {};
      return { key, ...named, metrics: totals.values(), geometry };
    });
    return { items, placed, rows };
  }

  async #groups(scope: ReportScope, by: GroupBy, metrics: ReportMetrics): Promise<Groups> {
    switch (by.kind) {
      case "areas": {
        const dataset = await reportDataset(scope, by.dataset);
        const areas = this.#items.read(scope, { source: { dataset: by.dataset } }, undefined);
        const shown = { metrics, name: by.name ?? nameProperties(dataset)[0] };
        return AreaGroups.read(areas, shown, new TickShare(scope.workspace.id));
      }
      case "grid": {
        const { degrees = 1, metres } = by;
        return new GridGroups(metres === undefined ? { degrees } : { metres }, metrics);
      }
      case "rings":
        return new RingGroups(by.position, by.metres, metrics);
    }
  }

  async #nearest(
    scope: ReportScope,
    { source, where }: ReportDefinition,
    { position, count, metres }: Extract<ReportBy, { readonly kind: "nearest" }>,
  ) {
    if ("type" in source) {
      const near = { position, metres };
      const found = await this.#items.nearestRecords(scope, { source, where }, near, count);
      return rowsOf(found.map((item) => [item, distanceFrom(position, item)] as const));
    }
    const limit = metres ?? halfEarthMetres;
    const ticks = new TickShare(scope.workspace.id);
    for (let within = Math.min(firstMetres, limit); ; within = Math.min(within * growth, limit)) {
      const near = { position, metres: within };
      const found: [ReportItem, number][] = [];
      for await (const item of this.#items.read(scope, { source, where }, { near })) {
        const { geometry } = item;
        if (geometry === undefined) continue;
        found.push([item, await ticks.run(distanceTo(position, geometry))]);
      }
      if (found.length < count && within < limit) continue;
      return rowsOf(nearestFirst(found).slice(0, count));
    }
  }

  async #buffer(
    scope: ReportScope,
    definition: ReportDefinition,
    { geometry, metres }: Extract<ReportBy, { readonly kind: "buffer" }>,
  ) {
    const buffer = new Buffer(bufferGeometry(geometry), metres);
    const ticks = new TickShare(scope.workspace.id);
    const found: [ReportItem, number][] = [];
    for await (const item of this.#items.read(scope, definition, { box: buffer.box })) {
      if (item.geometry === undefined) continue;
      const distance = await buffer.metresTo(item.geometry, ticks);
      if (distance > metres) continue;
      if (found.length === mostRows) throw tooManyRows();
      found.push([item, distance]);
    }
    return rowsOf(nearestFirst(found));
  }
}

function narrowingOf(by: GroupBy): Narrowing {
  if (by.kind !== "rings") return undefined;
  return { near: { position: by.position, metres: by.metres.at(-1) ?? 0 } };
}

function nearestFirst(found: readonly [ReportItem, number][]) {
  return found.toSorted(([, one], [, other]) => one - other);
}

function distanceFrom(position: Position, { geometry }: ReportItem): number {
  return geometry === undefined ? Infinity : metresTo(position, geometry);
}

/** The rows of items; refuses 422 if they are too large for one answer. */
function rowsOf(found: readonly (readonly [ReportItem, number])[]) {
  let characters = 0;
  const rows = found.map(([{ id, geometry, properties }, metres]): PlacedRow => {
    const distance = Math.round(metres * 100) / 100;
    const row = { key: id, distance, geometry: geometry ?? null, properties };
    characters += JSON.stringify(row).length;
    if (characters > mostCharacters) throw tooManyRows();
    return row;
  });
  return { items: rows.length, placed: rows.length, rows };
}

function tooManyRows() {
  const detail =
    `must give at most ${mostRows.toLocaleString("en")} rows and 32 MiB: ` +
    "choose a smaller distance or narrow the report's filter";
  return invalid([faultAt("body", ["by"], detail)]);
}
