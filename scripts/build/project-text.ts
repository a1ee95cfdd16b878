import { join } from "node:path";
import sucrase from "sucrase/package.json" with { type: "json" };
import type { ProjectText } from "../../src/local/templates/project-text.ts";
import { libraryDeclarations } from "./declarations.ts";
import { repository } from "./executable.ts";
import { libraryPlugins } from "./library.ts";
import { fewerParts } from "./smaller-modules.ts";

const bundledIn = {
  library: { ky: "license", "eventsource-parser": "LICENSE", zod: "LICENSE" },
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
  const module = (path: string) => bundled(path, inputs);
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

/** A library as one minified module that imports nothing of ours. */
async function bundled(path: string, inputs: string[]): Promise<string> {
  const { success, outputs, logs, metafile } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    minify: true,
    // A browser does without the runtime's modules, whose replacements are large.
    external: ["node:*"],
    metafile: true,
    plugins: [fewerParts, ...libraryPlugins],
    throw: false,
  });
  const [output, ...others] = outputs;
  if (!success || output === undefined || others.length > 0) {
    throw new Error(`${path} is not one module:\n${logs.map(({ message }) => message).join("\n")}`);
  }
  inputs.push(...Object.keys(metafile?.inputs ?? {}));
  return await output.text();
}

async function licencesOf(names: Readonly<Record<string, string>>): Promise<string> {
  const texts = Object.entries(names).map(async ([name, file]) => {
    const text = await Bun.file(join(repository, "node_modules", name, file)).text();
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n");
}
