import * as z from "zod";
import { maximumPage, maximumPageLimit } from "./limits.ts";
import { wholeNumber } from "./values.ts";

/**
 * `sort=-created_at,name`: field names, `-` for descending; at most 8. Text is in the order of its
 * code points; items without a value come first, and last when descending.
 */
export const sortParameter = z
  .string()
  .max(1024)
  .regex(/^-?[\w.]+(,-?[\w.]+){0,7}$/, "is not a comma list of field names");

/**
 * `where` travels as JSON text in a query string. It means what MongoDB means: a value is an
 * equality, a list is found by its items, dotted paths go through lists of objects, values of
 * different types never compare, and null also stands for what is missing. `$type` knows the kinds of
 * JSON: string, number, object, array, bool and null; `$mod` takes `[divisor, remainder]`. Beside
 * MongoDB's operators, `$contains` and `$startsWith` take text as it is, capitals and all. `$near`
 * takes `$maxDistance` in metres and answers the nearest first, unless `sort` says otherwise; below
 * `$or`, `$nor` and `$not`, where MongoDB has no place for it, it only filters. `$within` knows
 * `$box`, `$centerSphere`, `$polygon` and a `$geometry` with one ring. `$regex` takes what needs no
 * backtracking; `$options` are `i`, `m` and `s`. At most 32 levels, 500 conditions, 1,000 items in a
 * list (100 of `$all`), and six names that no definition declares on one path.
 */
const whereParameter = z.string().max(16_384);

/** The list conventions: page, limit, sort, where, cursor, count. */
export const listQuery = z.object({
  page: wholeNumber(1, maximumPage).optional().describe("Page number, from 1"),
  limit: wholeNumber(1, maximumPageLimit).optional().describe("Items a page, 1 to 500"),
  sort: sortParameter.optional().describe("Field names, `-` first for descending"),
  where: whereParameter.optional().describe("Filter as JSON, with the meaning of MongoDB's query"),
  cursor: z
    .string()
    .max(4096)
    .optional()
    .describe("Opaque; from `nextCursor` of the previous page; `page` is passed over then"),
  count: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
    .optional()
    .describe("Adds `total`"),
});
export type ListQuery = z.output<typeof listQuery>;

/** The body of every list: `{ items, page, limit, hasNextPage, nextCursor, total? }`. */
export function listBody<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    items: z.array(item),
    page: z.int().optional(),
    limit: z.int().optional(),
    hasNextPage: z.boolean().optional(),
    nextCursor: z.string().nullable().optional(),
    total: z.int().optional(),
  });
}

/** What a list answers, as a type; an alias, so that it fits the open shape of `listBody`. */
export type ListBody<Item> = {
  items: Item[];
  page?: number | undefined;
  limit?: number | undefined;
  hasNextPage?: boolean | undefined;
  nextCursor?: string | null | undefined;
  total?: number | undefined;
};
