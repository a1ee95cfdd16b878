import { version } from "#lib/version.ts";
import { librarySource } from "./library-source.ts";
import { script } from "./script.ts";
import type { ProjectFacts, ProjectTemplate, TemplateFile, TemplateName } from "./template.ts";
import { webApp } from "./web-app.ts";

export const templates: Readonly<Record<TemplateName, ProjectTemplate>> = {
  "web-app": webApp,
  script,
};

/** Every file of a new project, with the client library of this version. */
export async function projectFiles(
  template: TemplateName,
  facts: ProjectFacts,
): Promise<readonly TemplateFile[]> {
  const library = {
    name: "svc",
    version,
    type: "module",
    license: "MIT",
    exports: "./index.js",
  };
  return [
    ...templates[template].files(facts),
    { path: "vendor/svc/package.json", kind: "managed", text: `${JSON.stringify(library)}\n` },
    { path: "vendor/svc/index.js", kind: "managed", text: await librarySource() },
  ];
}
