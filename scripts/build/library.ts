import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { declarationTree } from "./declarations.ts";
import { repository } from "./executable.ts";

/** The client as a package exports it: one module, and declarations that need nothing of ours. */
export const library: string = join(repository, "dist", "lib");

const entryPoint = "src/client/index.ts";

/** Builds dist/lib: `index.js` for Node, Bun and browsers, and the tree of declarations. */
export async function buildLibrary(target: string = library): Promise<void> {
  const folder = join(repository, "dist", `.lib-${crypto.randomUUID()}`);
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { recursive: true });
    await Promise.all([bundle(folder), addDeclarations(folder), addLicences(folder)]);
    await rm(target, { recursive: true, force: true });
    await cp(folder, target, { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(folder: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(repository, entryPoint)],
    outdir: folder,
    target: "browser",
    format: "esm",
    // Keeps the client's lazy imports lazy.
    splitting: true,
    // The hints name these chunks, which a page's bundler renames: each would be a 404.
    modulePreload: false,
    plugins: libraryPlugins,
    // A library is read and debugged by others: its names and comments stay.
    minify: false,
    throw: false,
  });
  if (!result.success)
    throw new Error(
      `${entryPoint} did not bundle:\n${result.logs.map((log) => log.message).join("\n")}`,
    );
}

/**
 * Modules of which a page needs less than the commands: texts for a terminal, ky, whose functions
 * are all off, and the shapes of requests of rarely used domains, which the platform checks. They
 * would be a third of a page of one script.
 */
const replaced: Readonly<Record<string, string>> = {
  "contract/plain/further-requests.ts": "export const furtherRequests = undefined;",
  "contract/command-errors.ts": "export const [commandErrors, projectErrors] = [{}, {}];",
  "client/transport/look.ts": "export const lookOf = () => undefined;",
  "client/transport/sender.ts": `export * from "./page-sender.ts";`,
  "lib/text/system-error-texts.ts": "export const systemErrorTexts = {};",
};

const withoutCommandsParts: BunPlugin = {
  name: "without the parts of commands",
  setup(build) {
    for (const [path, contents] of Object.entries(replaced)) {
      const filter = new RegExp(`/src/${path.replaceAll(".", String.raw`\.`)}$`);
      build.onLoad({ filter }, () => ({ contents, loader: "js" }));
    }
  },
};

/** Changes to the client for a page. */
export const libraryPlugins: BunPlugin[] = [withoutCommandsParts];

/** The licences of what is bundled and of the declarations, which ask to be with every copy. */
async function addLicences(folder: string): Promise<void> {
  const bundled = { "eventsource-parser": "LICENSE", zod: "LICENSE" };
  for (const [name, file] of Object.entries(bundled)) {
    const licence = Bun.file(join(repository, "node_modules", name, file));
    await Bun.write(join(folder, "licences", `${name}.txt`), licence);
  }
}

async function addDeclarations(folder: string): Promise<void> {
  await cp(await declarationTree(), join(folder, "types"), { recursive: true });
}
