/** The script of the search: the site loads it with the first use, after its sections. */
import { SiteSearch, type Found, type Section } from "./find.ts";

declare const svcSections: readonly Section[];

const search = new SiteSearch(svcSections);
Object.assign(globalThis, {
  svcFind: (query: string): readonly Found[] => search.find(query),
});
