import * as z from "zod";
import { alsoNamed, named } from "./deployments.ts";
import { maximumPage, maximumPageLimit } from "./limits.ts";
import { flag, wholeNumber } from "./values.ts";

/**
 * `sort=-created_at,name`: at most 8 field names, `-` for descending. Texts sort by code point,
 * those of records by `collation`; items without a value sort first, and last when descending.
 */
export const sortParameter = z
  .string()
  .max(1024)
  .regex(/^-?[\w.]+(,-?[\w.]+){0,7}$/, "must be up to 8 field names, separated by commas");

/**
 * A filter as JSON text, with the semantics of MongoDB's query: a plain value means equality, a
 * list matches by its items, dotted paths go through lists of objects, values of different types
 * never match, and null matches a missing value. `$type` takes string, number, object, array, bool
 * or null; `$mod` takes `[divisor, remainder]`. Additions: `$contains` and `$startsWith` match
 * literal text, case-sensitive. `$near` takes `$maxDistance` in metres and sorts the nearest first
 * unless `sort` is given; below `$or`, `$nor` and `$not` it only filters. `$geoWithin`, also under
 * its old name `$within`, takes `$box`, `$center`, `$centerSphere`, `$polygon`, or a Polygon or
 * MultiPolygon as `$geometry`; `$geoIntersects` takes those, a Point or a MultiPoint. Their sides
 * are straight on a map. A ring crosses the antimeridian by longitudes after 180 (`[190, 0]` is
 * `[-170, 0]`), that of a `$geometry` also by a side of more than 180 degrees, which goes the
 * shorter way. An unknown property is refused. `$regex` must need
 * no backtracking; `$options` are `i`, `m` and `s`. Limits: 32 levels, 500 conditions, 1,000 items
 * in a list (100 in `$all`), and six undeclared names on one path.
 */
const whereParameter = z.string().max(16_384);

/** The list conventions: page, limit, sort, where, cursor, count. */
export const listQuery = z.object({
  page: wholeNumber(1, maximumPage).optional().describe("Page number, from 1"),
  limit: wholeNumber(1, maximumPageLimit).optional().describe("Items per page, 1 to 500"),
  sort: sortParameter.optional().describe("Field names, `-` first for descending"),
  where: whereParameter.optional().describe("Filter as JSON, with the meaning of MongoDB's query"),
  cursor: z
    .string()
    .max(4096)
    .optional()
    .describe("Opaque; `nextCursor` of the previous page; `page` is then ignored"),
  count: flag.optional().describe("Adds `total`"),
});
/** The query of a list with a fixed order. */
export const fixedListQuery = listQuery.omit({ sort: true, where: true });
export type ListQuery = z.output<typeof listQuery>;

/** A member of each answer that lists what one workspace has. */
export const feedPlace = {
  feedCursor: z
    .string()
    .optional()
    .describe("Cursor of the feed of changes before this page was read; also X-Feed-Cursor"),
};

/**
 * The body of every list: `{ items, page, limit, hasNextPage, nextCursor, total?, feedCursor? }`.
 * A caller that lists all pages and then follows the feed from the first page's cursor misses no
 * change. A list of no workspace, such as a caller's sessions, has no cursor of the feed.
 */
export function listBody<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    items: named(z.array(item)),
    page: alsoNamed(z.int().optional(), "pageNumber", "currentPage"),
    limit: alsoNamed(z.int().optional(), "pageSize", "perPage"),
    hasNextPage: alsoNamed(z.boolean().optional(), "hasNext", "hasMore"),
    nextCursor: alsoNamed(z.string().nullable().optional(), "nextPageToken", "nextToken"),
    total: alsoNamed(z.int().optional(), "totalCount", "totalItems"),
    ...feedPlace,
  });
}

/** One page of a list; a type alias, because an interface does not fit the open `listBody`. */
export type ListBody<Item> = {
  items: Item[];
  page?: number | undefined;
  limit?: number | undefined;
  hasNextPage?: boolean | undefined;
  nextCursor?: string | null | undefined;
  total?: number | undefined;
  feedCursor?: string | undefined;
};
