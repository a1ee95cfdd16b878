/** One file of a site, kept in memory. */
export interface SitePage {
  readonly contentType: string;
  readonly text: string;
}

/** A site by the paths of its files, e.g. `index.html` or `api/resources/index.html`. */
export type Site = ReadonlyMap<string, SitePage>;
