import type * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { pointer } from "#lib/json/pointer.ts";

/** The value as its schema parses it. Throws E302 with the first faults and their pointers. */
export function checkedFile<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  name: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = schemaFaults(result.error);
  const shown = faults.slice(0, 5).map(({ path, detail }) => `${pointer(...path)} ${detail}`);
  const more = faults.length > shown.length ? `, and ${faults.length - shown.length} more` : "";
  throw catalogError("E302", { details: `${name}: ${shown.join("; ")}${more}` });
}
