import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { rule } from "../plain/rule.ts";
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

/** The name by which `datasets` means the places of the executable. */
export const gazetteerName = "gazetteer";

const lookup = z
  .strictObject({
    query: z
      .string()
      .max(500)
      .regex(/\S/, "must not be empty")
      .optional()
      .describe("Words of a name or an address, a postcode, or coordinates"),
    point: point.optional().describe("A point, instead of a query: what is there and around it"),
    limit: z.int().min(1).max(100).default(10).describe("Matches, 1 to 100 (default 10)"),
    near: point.optional().describe("Prefers matches near this point"),
    datasets: z
      .array(z.string().min(1).max(128))
      .min(1)
      .max(100)
      .optional()
      .describe(`Slugs of Object Types and datasets, and ${gazetteerName} (default: all)`),
  })
  .refine(rule("either", "query", "point"), {
    error: "or a point is required, and not both",
    path: ["query"],
  })
  .meta({ id: "LocationLookup" });
export type LocationLookup = z.output<typeof lookup>;

const locationArea = z
  .looseObject({
    name: z.string(),
    /** `area` for a first-level area or a part of one, or `country`. */
    kind: z.string().optional(),
    /** ISO 3166-1 or 3166-2, or the code of GeoNames. */
    code: z.string().optional(),
    /** The dataset of a feature whose area contains the point; `id` is the feature's. */
    dataset: z.string().optional(),
    id: z.string().optional(),
  })
  .meta({ id: "LocationArea" });

const locationMatch = z
  .looseObject({
    name: alsoNamed(z.string().optional(), "label", "displayName"),
    /**
     * `coordinates`, `record` for a record with a geopoint or geometry, `feature` of a dataset, or
     * from the gazetteer `country`, `area`, `place`, `suburb` or `postcode`.
     */
    kind: alsoNamed(z.string().optional(), "type"),
    /** Matches are sorted by it; comparable within one response only. */
    score: otherwise(z.number(), { value: 0 }),
    /**
     * The part of the query that fits, from 0 to 1. Matches that fit equally well share it: above
     * 0.9 there is one meaning, near 0.5 there are several.
     */
    confidence: z.number().optional(),
    /** `name`, `alias`, `code`, `typo`, `words`, `coordinates`, or `point`. */
    matchedBy: z.string().optional(),
    /** Null for a geometry of a feature with more than 65,536 characters. */
    geometry: jsonObject.nullable().optional(),
    /** West, south, east and north of a feature in degrees. */
    bbox: z.array(z.number()).optional(),
    /** The areas around the place, the smallest first, up to its country. */
    areas: z.array(locationArea).optional(),
    properties: jsonObject.optional(),
    /** The Object Type of a record, the dataset of a feature, or `gazetteer`. */
    dataset: z.string().nullable().optional(),
    /** The id of a record or a feature. */
    id: z.string().optional(),
    /** The property that has the geometry. */
    property: z.string().optional(),
    /** Distance from `near` or `point` in metres. */
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
   * The places of a workspace are records of Object Types with a `geopoint` or `geometry` whose
   * searchable texts have words of the query, and features of its newest 100 datasets whose names
   * have some: `name`, `title`, `label`, and properties such as `name:de`, `ward_name` or
   * `LAD23NM`. The gazetteer follows: countries and first-level areas in many languages, places
   * with 1,000 people, and Australian suburbs and postcodes. One typing error in a name is
   * corrected. With `point`, the nearest records and features within 500 m and the nearest places,
   * each with the areas that have the point: features first, the smallest first.
   */
  resolveLocation: route.post("/v4/geo/resolve-location", {
    summary: "The places that a text or a point may mean, best first",
    ...members("tenant-viewer", "header", "spec 4.5, interface.md"),
    body: json(lookup),
    reply: replies(locationMatches),
    asks: true,
  }),
};
