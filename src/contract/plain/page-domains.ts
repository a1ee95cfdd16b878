import type { Domain } from "../index.ts";

/** The domains that a page of the library loads at once: records, files, documents and chat. */
export const pageDomains = ["resources", "documents", "chat"] as const satisfies readonly Domain[];
