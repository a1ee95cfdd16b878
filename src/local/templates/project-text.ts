import { join } from "node:path";
import type { TemplateName } from "./template.ts";

/** The text of new projects. */
export interface ProjectText {
  /** The client library as one module for Node, Bun and browsers. */
  readonly library: string;
  /** Its declarations: ambient modules, of which `svc/types/client/index` is the entry. */
  readonly declarations: string;
  /** The library that removes the types of TypeScript, as one module. */
  readonly typeRemover: string;
  readonly typeRemoverVersion: string;
  /** The licences of what is bundled in both, by the names of their libraries. */
  readonly licences: { readonly library: string; readonly typeRemover: string };
  /** The files of each template by their paths. */
  readonly templates: Readonly<Record<TemplateName, Readonly<Record<string, string>>>>;
}

const source = join(import.meta.dirname, "../../../scripts/build/project-text.ts");
let made: Promise<ProjectText> | undefined;

/** Makes the text from the sources. The build replaces this file by one that has the text. */
export function projectText(): Promise<ProjectText> {
  return (made ??= import(source).then((build: { readProjectText(): Promise<ProjectText> }) =>
    build.readProjectText(),
  ));
}
