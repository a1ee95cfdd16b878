import type * as z from "zod";
import type { Form } from "#contract/plain/shape.ts";
import { Shapes } from "#contract/plain/shapes.ts";

/** A schema as a client has it: as plain data. */
export function formOf(schema: z.ZodType): Form {
  const shapes = new Shapes();
  const place = shapes.placeOf(schema);
  return { shapes: shapes.list, place };
}
