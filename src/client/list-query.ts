import type { CallOptions } from "./options.ts";
import type { ListOptions } from "./surface/lists.ts";

/** The list conventions as they travel, apart from the call's own options. */
export interface ListQueryInput {
  page?: number;
  limit?: number;
  sort?: string;
  where?: string;
  cursor?: string;
  count?: boolean;
}

/** Splits list options into query parameters and call options; `where` objects become JSON text. */
export function listQuery(options: ListOptions): {
  readonly call: CallOptions;
  readonly query: ListQueryInput;
} {
  const { page, limit, sort, where, cursor, count, ...call } = options;
  return {
    call,
    query: {
      ...(page === undefined ? {} : { page }),
      ...(limit === undefined ? {} : { limit }),
      ...(sort === undefined ? {} : { sort }),
      ...(where === undefined
        ? {}
        : { where: typeof where === "string" ? where : JSON.stringify(where) }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(count === undefined ? {} : { count }),
    },
  };
}
