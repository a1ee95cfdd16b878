import type {
  ItemChanges,
  NewItem,
  OgcCollection,
  OgcItems,
  OgcItemsQuery,
  OgcLink,
} from "#contract/geo/collections.ts";
import type { GeoDataset } from "#contract/geo/datasets.ts";
import { given } from "#lib/given.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { VersionMatch } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import type { GeoDatasets } from "../datasets/service.ts";
import { PropertyTypes } from "../property-types.ts";
import { timeFilter } from "./time-filter.ts";

const defaultItems = 10;
const mostItems = 1_000;
const crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const gregorian = "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian";
const geojsonType = "application/geo+json";
const schemaType = "application/schema+json";
const openapiType = "application/vnd.oai.openapi+json;version=3.1";
const changing = "http://www.opengis.net/spec/ogcapi";
const core = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf";

/** The workspace of a request, and the URL by which the caller reaches the platform. */
export interface CollectionScope {
  readonly workspaceId: string;
  readonly baseUrl: string;
}

/** The datasets of workspaces as OGC API Features. */
export class Collections {
  constructor(
    private readonly parts: {
      readonly geo: Pick<GeoDatasets, "datasets" | "features">;
      readonly now: () => Date;
    },
  ) {}

  landing(scope: CollectionScope) {
    const link = linksIn(scope);
    return {
      title: "Datasets of a workspace",
      description: "The datasets of a workspace as OGC API Features",
      links: [
        link("self", "", "This page"),
        {
          ...link("service-desc", "", "OpenAPI"),
          href: `${scope.baseUrl}/v4/openapi.json`,
          type: openapiType,
        },
        link("conformance", "/conformance", "Conformance classes"),
        link("data", "/collections", "Collections"),
      ],
    };
  }

  conformance() {
    return {
      conformsTo: [
        `${core}/core`,
        `${core}/geojson`,
        // The draft of part 4 has named its classes after both standards.
        ...[`${changing}-features-4`, `${changing}-common-5`].flatMap((standard) =>
          ["create-replace-delete", "update", "optimistic-locking-etags"].map(
            (name) => `${standard}/1.0/conf/${name}`,
          ),
        ),
        `${changing}-features-4/1.0/conf/features`,
      ],
    };
  }

  async list(work: Work, scope: CollectionScope) {
    const datasets = await this.parts.geo.datasets.all(work, scope.workspaceId);
    return {
      collections: datasets.map((dataset) => collectionOf(scope, dataset)),
      links: [linksIn(scope)("self", "/collections", "Collections")],
    };
  }

  async get(work: Work, scope: CollectionScope, dataset: string): Promise<OgcCollection> {
    const { workspaceId } = scope;
    return collectionOf(scope, await this.parts.geo.datasets.get(work, { workspaceId, dataset }));
  }

  /** The schema of GeoJSON that an item has; GDAL takes the types of properties from it. */
  async schema(work: Work, scope: CollectionScope, dataset: string) {
    const { workspaceId } = scope;
    const types = await this.parts.geo.features.propertyTypes(work, { workspaceId, dataset });
    const properties = PropertyTypes.of(types).schemas();
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: linksIn(scope)("self", `/collections/${dataset}/schema`, "").href,
      title: dataset,
      type: "object",
      properties: {
        type: { const: "Feature" },
        id: { type: "string" },
        geometry: { $ref: "https://geojson.org/schema/Geometry.json" },
        properties: { type: "object", properties },
      },
    };
  }

  /** One page of features, with a link to the next one. */
  async items(
    work: Work,
    scope: CollectionScope,
    dataset: string,
    { query, signal }: { readonly query: OgcItemsQuery; readonly signal: AbortSignal },
  ): Promise<OgcItems> {
    const { bbox, datetime, cursor, limit = defaultItems } = query;
    const isWhole = bbox === undefined && datetime === undefined;
    const page = await this.parts.geo.features.list(
      work,
      { workspaceId: scope.workspaceId, dataset },
      { bbox, cursor, limit: Math.min(limit, mostItems), ...(isWhole ? { count: true } : {}) },
      signal,
      datetime === undefined ? undefined : { name: datetime, passes: timeFilter(datetime) },
    );
    const link = linksIn(scope);
    const path = `/collections/${dataset}`;
    const filters = Object.entries({ bbox, datetime, limit: String(limit) });
    const asked = filters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const next = page.nextCursor ?? undefined;
    const { total } = page;
    return {
      type: "FeatureCollection",
      features: page.items.map(itemOf),
      links: [
        link("self", `${path}/items`, "This page", asked),
        link("collection", path, "The collection"),
        ...(next === undefined
          ? []
          : [link("next", `${path}/items`, "The next page", [...asked, ["cursor", next]])]),
      ].map((each) => (each.rel === "collection" ? each : { ...each, type: geojsonType })),
      timeStamp: this.parts.now().toISOString(),
      numberReturned: page.items.length,
      ...(total === undefined ? {} : { numberMatched: total }),
    };
  }

  async item(
    work: Work,
    scope: CollectionScope,
    { dataset, feature }: ItemName,
  ): Promise<ShownItem> {
    const { workspaceId } = scope;
    const found = await this.parts.geo.features.get(work, { workspaceId, dataset, feature });
    return shownItem(scope, dataset, found);
  }

  async create(
    work: Work,
    scope: ChangingScope,
    dataset: string,
    { id, geometry, properties }: NewItem,
  ): Promise<ShownItem> {
    const place = { ...scope, dataset };
    const body = { geometry, ...given({ id, properties }) };
    const made = await this.parts.geo.features.create(work, place, body, (tx, feature) => {
      const { body: answer, headers } = shownItem(scope, dataset, feature);
      tx.remember(answer, { status: 201, headers });
    });
    return shownItem(scope, dataset, made);
  }

  /** Refuses 422 for a body with the id of another feature. */
  async replace(
    work: Work,
    scope: ChangingScope,
    { dataset, feature }: ItemName,
    { body, ifMatch }: { readonly body: NewItem; readonly ifMatch: VersionMatch | undefined },
  ): Promise<ShownItem> {
    if (body.id !== undefined && body.id !== feature) {
      throw invalid([faultAt("body", ["id"], `must be "${feature}", or absent`)]);
    }
    const place = { ...scope, dataset, feature };
    return shownItem(
      scope,
      dataset,
      await this.parts.geo.features.replace(work, place, body, ifMatch),
    );
  }

  async update(
    work: Work,
    scope: ChangingScope,
    { dataset, feature }: ItemName,
    { body, ifMatch }: { readonly body: ItemChanges; readonly ifMatch: VersionMatch | undefined },
  ): Promise<ShownItem> {
    const place = { ...scope, dataset, feature };
    const changed = await this.parts.geo.features.patch(work, place, body, ifMatch);
    return shownItem(scope, dataset, changed);
  }
}

interface ItemName {
  readonly dataset: string;
  readonly feature: string;
}

/** The workspace of a change, and who asks for it. */
interface ChangingScope extends CollectionScope {
  readonly oid: string;
}

/** The answer about a feature, whose version is its entity tag. */
function shownItem(scope: CollectionScope, dataset: string, feature: Feature) {
  const link = linksIn(scope);
  const path = `/collections/${dataset}`;
  const self = link("self", `${path}/items/${encodeURIComponent(feature.id)}`, "This feature");
  const body = {
    ...itemOf(feature),
    links: [{ ...self, type: geojsonType }, link("collection", path, "The collection")],
  };
  const headers = { location: self.href, etag: `"${feature.version ?? 1}"` };
  return { body, headers };
}
export type ShownItem = ReturnType<typeof shownItem>;

type Feature = Awaited<ReturnType<GeoDatasets["features"]["get"]>>;

function itemOf({ id, geometry = null, properties = null }: Feature) {
  return { type: "Feature", id, geometry, properties };
}

function collectionOf(scope: CollectionScope, dataset: GeoDataset): OgcCollection {
  const { dataset: id, title = id, description = "", attribution = "", bbox } = dataset;
  const link = linksIn(scope);
  const path = `/collections/${id}`;
  return {
    id,
    title,
    description,
    ...(attribution === "" ? {} : { attribution }),
    ...(bbox === null || bbox === undefined
      ? {}
      : {
          extent: {
            spatial: { bbox: [bbox], crs: crs84 },
            temporal: { interval: [[null, null]], trs: gregorian },
          },
        }),
    itemType: "feature",
    crs: [crs84],
    links: [
      link("self", path, "This collection"),
      { ...link("items", `${path}/items`, "Its features"), type: geojsonType },
      // Relations are compared without case (RFC 8288); some programs know only this one.
      { ...link("describedBy", `${path}/schema`, "The schema of its features"), type: schemaType },
    ],
  };
}

/** Makes links that keep the workspace. */
function linksIn({ baseUrl, workspaceId }: CollectionScope) {
  return (
    rel: string,
    path: string,
    title: string,
    query: readonly (readonly string[])[] = [],
  ): OgcLink => {
    const search = new URLSearchParams([["tenant_id", workspaceId]]);
    for (const [name = "", value = ""] of query) search.set(name, value);
    const href = `${baseUrl}/v4/geo${path}?${search.toString()}`;
    return { href, rel, type: "application/json", title };
  };
}
