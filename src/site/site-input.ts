import type { OpenApiDocument } from "#contract/openapi/openapi.ts";
import type { SiteTool } from "./agent-page.ts";
import type { SiteCommands } from "./command-pages.ts";
import type { SiteKeys } from "./key-page.ts";
import type { SiteProse } from "./prose-page.ts";

/** The facts that the reference is computed from. */
export interface SiteInput {
  readonly version: string;
  readonly openApi: OpenApiDocument;
  readonly commands: SiteCommands;
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly keys: SiteKeys;
  readonly tools: readonly SiteTool[];
  /** Pages written by hand, in Markdown, in the order of the navigation. */
  readonly prose: readonly SiteProse[];
  /** The reference of commands, in Markdown. */
  readonly reference: string;
  /** The script that finds sections; it reads `svcSections` and defines `svcFind`. */
  readonly searchSource: string;
}
