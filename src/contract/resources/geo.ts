import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { json, members, replies, route } from "../route.ts";
import { jsonObject } from "../values.ts";

const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);

/** A GeoJSON point (RFC 7946, 3.1.2): longitude, then latitude. */
const point = z.strictObject({
  type: z.literal("Point"),
  coordinates: z.tuple([longitude, latitude]),
});
export type Point = z.output<typeof point>;

const lookup = z
  .strictObject({
    query: z
      .string()
      .max(500)
      .regex(/\S/, "must not be empty")
      .describe("Words of a name or an address, or a latitude and a longitude"),
    limit: z.int().min(1).max(100).default(10).describe("Matches, 1 to 100 (default 10)"),
    near: point.optional().describe("Prefers matches near this point"),
  })
  .meta({ id: "LocationLookup" });
export type LocationLookup = z.output<typeof lookup>;

const locationMatch = z
  .looseObject({
    name: alsoNamed(z.string().optional(), "label", "displayName"),
    /** `coordinates`, or `record` for a record with a geopoint. */
    kind: alsoNamed(z.string().optional(), "type"),
    /** Matches are sorted by it; comparable within one response only. */
    score: otherwise(z.number(), () => 0),
    geometry: jsonObject.nullable().optional(),
    properties: jsonObject.optional(),
    /** The Object Type of a record. */
    dataset: z.string().nullable().optional(),
    /** The id of a record. */
    id: z.string().optional(),
    /** The property that has the geometry. */
    property: z.string().optional(),
    /** Distance from `near` in metres. */
    distance: z.number().optional(),
  })
  .meta({ id: "LocationMatch" });
/** A place that a text may mean. */
export type LocationMatch = z.output<typeof locationMatch>;

const locationMatches = z
  .looseObject({ matches: alsoNamed(named(z.array(locationMatch)), "results", "items") })
  .meta({ id: "LocationMatches" });
export type LocationMatches = z.output<typeof locationMatches>;

export const geoRoutes = {
  /**
   * The places of a workspace are its records: those of Object Types with a `geopoint` property
   * whose searchable texts have words of the query.
   */
  resolveLocation: route.post("/v4/geo/resolve-location", {
    summary: "The places of a workspace that a text may mean, best first",
    ...members("tenant-viewer", "header", "spec 4.5, interface.md"),
    body: json(lookup),
    reply: replies(locationMatches),
    asks: true,
  }),
};
