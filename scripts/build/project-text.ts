import { join } from "node:path";
import sucrase from "sucrase/package.json" with { type: "json" };
import type { ProjectText } from "../../src/local/templates/project-text.ts";
import { libraryDeclarations } from "./declarations.ts";
import { repository } from "./executable.ts";
import { libraryPlugins } from "./library.ts";
import { oneModule } from "./one-module.ts";

const bundledIn = {
  library: { zod: "LICENSE" },
  typeRemover: {
    sucrase: "LICENSE",
    "lines-and-columns": "LICENSE",
    "@jridgewell/gen-mapping": "LICENSE",
    "@jridgewell/sourcemap-codec": "LICENSE",
    "@jridgewell/trace-mapping": "LICENSE",
    "@jridgewell/resolve-uri": "LICENSE",
    "ts-interface-checker": "LICENSE",
  },
} as const;

/** Makes the text of new projects; `inputs` collects the files that it reads. */
export async function readProjectText(inputs: string[] = []): Promise<ProjectText> {
  // A browser does without the runtime's modules, whose replacements are large.
  const external = ["node:*"];
  const module = (path: string) =>
    oneModule(path, inputs, { target: "browser", external, plugins: libraryPlugins });
  const [library, declarations, typeRemover, libraryTerms, typeRemoverTerms, webApp, script] =
    await Promise.all([
      module(join(repository, "src/client/index.ts")),
      libraryDeclarations(),
      module(join(import.meta.dirname, "type-remover.ts")),
      licencesOf(bundledIn.library),
      licencesOf(bundledIn.typeRemover),
      filesOf("web-app", inputs),
      filesOf("script", inputs),
    ]);
  return {
    library,
    declarations,
    typeRemover,
    typeRemoverVersion: sucrase.version,
    licences: { library: libraryTerms, typeRemover: typeRemoverTerms },
    templates: { "web-app": webApp, script },
  };
}

async function filesOf(name: string, inputs: string[]): Promise<Record<string, string>> {
  const cwd = join(repository, "templates", name);
  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd, dot: true }));
  inputs.push(...paths.map((path) => join(cwd, path)));
  const entries = paths
    .toSorted()
    .map(async (path) => [path, await Bun.file(join(cwd, path)).text()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function licencesOf(names: Readonly<Record<string, string>>): Promise<string> {
  const texts = Object.entries(names).map(async ([name, file]) => {
    const text = await Bun.file(join(repository, "node_modules", name, file)).text();
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n");
}
