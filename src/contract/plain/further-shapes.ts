import { furtherShapesText } from "./table.ts" with { type: "macro" };
import type { Shape } from "./shape.ts";

/** The shapes of the domains that a page does not load at once. */
export const furtherShapes = JSON.parse(furtherShapesText()) as readonly Shape[];
