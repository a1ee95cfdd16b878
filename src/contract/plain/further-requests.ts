import "./rule.ts";
import { furtherRequests as requestTexts } from "./table.ts" with { type: "macro" };
import type { ShapeTexts } from "./shape-reader.ts";

/**
 * The shapes of requests of the domains that a page does not load at once. The library is built
 * without them: there the platform alone checks these requests.
 */
export const furtherRequests: ShapeTexts | undefined = requestTexts();
