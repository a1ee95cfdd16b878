import * as z from "zod";
import { jsonObject } from "../values.ts";

/**
 * Executes an action of the record's Object Type. The parameters are checked by the action's own
 * definition. Then its transition moves the record's state, and its `set` gives properties new
 * values; `{ "$parameter": "name" }` among them is what the caller gave under that name, and leaves
 * the property as it is when nothing was given. `version` guards as in an update.
 */
export const actionCall = z
  .strictObject({ parameters: jsonObject.default({}), version: z.int().min(1).optional() })
  .meta({ id: "ActionCall" });
export type ActionCall = z.output<typeof actionCall>;

/** The parameter that a value of `set` stands for; undefined for a plain value. */
export function parameterIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("$parameter" in value)) return undefined;
  const { $parameter: name } = value;
  return Object.keys(value).length === 1 && typeof name === "string" ? name : undefined;
}
