import { furtherShapes as furtherTexts } from "./table.ts" with { type: "macro" };
import type { ShapeTexts } from "./shape-reader.ts";

/** The shapes of answers of the domains that a page does not load at once. */
export const furtherShapes: ShapeTexts = furtherTexts();
