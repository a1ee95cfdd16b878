import * as z from "zod";
import { jsonObject } from "../values.ts";

/**
 * Executes an action of the record's Object Type. Its transition changes the record's state, and
 * its `set` assigns values; `{ "$parameter": "name" }` stands for a parameter, and leaves the
 * property unchanged when the caller gives none. `version` guards as in an update.
 */
export const actionCall = z
  .strictObject({ parameters: jsonObject.default({}), version: z.int().min(1).optional() })
  .meta({ id: "ActionCall" });
export type ActionCall = z.output<typeof actionCall>;

/** The parameter name in a value of `set`; undefined for a plain value. */
export function parameterIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("$parameter" in value)) return undefined;
  const { $parameter: name } = value;
  return Object.keys(value).length === 1 && typeof name === "string" ? name : undefined;
}
