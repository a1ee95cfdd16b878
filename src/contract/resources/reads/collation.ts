import * as z from "zod";

/**
 * The order of texts in `sort`: `text` as people read them, without case and marks (`apfel`,
 * `Äpfel`, `Zar`), by their first 256 characters; `binary` by code points. It holds for properties
 * of type string, enum, email and url; filters always compare code points.
 */
export const collation = z
  .enum(["text", "binary"])
  .optional()
  .describe("Order of texts: `text` (default) as people read them, `binary` by code points");
export type Collation = "text" | "binary";
