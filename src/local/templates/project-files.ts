import { version } from "#lib/version.ts";
import { ignoreFile, managedFiles, objectTypesFile, packageFile } from "./base-files.ts";
import { documentFiles } from "./document-files.ts";
import { projectText, type ProjectText } from "./project-text.ts";
import { script } from "./script.ts";
import type { ProjectFacts, ProjectTemplate, TemplateFile, TemplateName } from "./template.ts";
import { webApp } from "./web-app.ts";

export const templates: Readonly<Record<TemplateName, ProjectTemplate>> = {
  "web-app": webApp,
  script,
};

/** Every file of a new project, with the client library of this version. */
export async function projectFiles(
  name: TemplateName,
  facts: ProjectFacts,
): Promise<readonly TemplateFile[]> {
  const template = templates[name];
  const text = await projectText();
  const own = Object.entries(text.templates[name]).map(([path, content]) => ({
    path,
    kind: template.kindOf(path),
    text: content.replaceAll("{{name}}", facts.name),
  }));
  return [
    packageFile(facts, template),
    ignoreFile,
    objectTypesFile,
    ...documentFiles,
    ...own,
    ...managedFiles(facts),
    ...libraryFiles(text),
    ...(template.removesTypes ? typeRemoverFiles(text) : []),
  ];
}

/** The client library with its types, as an installed package has them. */
function libraryFiles({ declarations, library, licences }: ProjectText): readonly TemplateFile[] {
  const manifest = {
    name: "svc",
    version,
    type: "module",
    license: "MIT",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  };
  const entry = [
    `/// <reference path="./modules.d.ts" />`,
    `export * from "svc/types/client/index";`,
  ];
  return [
    vendored("svc/package.json", `${JSON.stringify(manifest)}\n`),
    vendored("svc/index.js", library),
    vendored("svc/index.d.ts", `${entry.join("\n")}\n`),
    vendored("svc/modules.d.ts", declarations),
    vendored("svc/licences.txt", licences.library),
  ];
}

/** Sucrase, which makes JavaScript of the TypeScript of a project without a network. */
function typeRemoverFiles({
  licences,
  typeRemover,
  typeRemoverVersion,
}: ProjectText): readonly TemplateFile[] {
  const manifest = {
    name: "sucrase",
    version: typeRemoverVersion,
    type: "module",
    license: "MIT",
    exports: "./index.js",
  };
  return [
    vendored("sucrase/package.json", `${JSON.stringify(manifest)}\n`),
    vendored("sucrase/index.js", typeRemover),
    vendored("sucrase/licences.txt", licences.typeRemover),
  ];
}

function vendored(path: string, text: string): TemplateFile {
  return { path: `vendor/${path}`, kind: "managed", text };
}
