import { join } from "node:path";
import { guides } from "../../src/commands/kit/site/guides.ts";
import type { EncodedPart } from "../../src/lib/compressed-module.ts";
import { brotli, removeUnusedCompression, zstandard } from "./kept-compression.ts";
import { computedModuleNames, computedModules } from "./computed-modules.ts";
import { oneModule } from "./one-module.ts";
import { addPdfData } from "./pdf-data.ts";
import { readProjectText } from "./project-text.ts";
import { smallerModules } from "./smaller-modules.ts";

/**
 * Libraries that only sign-in, `env`, mail, models, or the process of one document, needs.
 * Bytecode is four times the size of its source; a compressed file is a fifteenth of that, and
 * costs some milliseconds to load.
 */
const compressed = [
  "pdfjs-dist",
  "pdfjs-dist/build/pdf.worker.mjs",
  "postal-mime",
  "@kenjiuno/msgreader",
  "htmlparser2",
  "papaparse",
  "chardet",
  "oauth4webapi",
  "@azure/app-configuration",
  "tesseract.js-core/tesseract-core-simd-lstm.js",
  "jq-wasm",
  "liquidjs",
  "nodemailer",
  "@ai-sdk/openai-compatible",
  "@simplewebauthn/server",
  "uqr",
  "saxes",
  "aws4fetch",
] as const;

/** Own modules that are entered in one place only, with what they import. */
const compressedOwn = [
  // One module of both entry points, whose classes must be the same.
  { path: "mcp/sdk.ts", file: "agent-library.zst" },
  { path: "site/site.ts", file: "reference-site.zst" },
] as const;

/** Every module that is compressed in the executable; each has an end-to-end test. */
export const compressedModuleNames: readonly string[] = [
  ...compressed,
  ...compressedOwn.map(({ path }) => path),
  ...computedModuleNames,
];

const ownNames = [...compressedOwn.map(({ path }) => path), ...computedModuleNames];
const ownModules = new RegExp(`/src/(?:${ownNames.join("|")})$`);
const repositorySource = join(import.meta.dirname, "../../src");
const loader = join(repositorySource, "lib/compressed-module.ts");

export interface CompressedModules {
  readonly plugin: Bun.BunPlugin;
  /** The files that the compressed libraries are made of. */
  readonly inputs: readonly string[];
}

/**
 * Embeds the libraries above compressed; their importers need no change. The compressed bytes have
 * names instead of files: a path would be in the names of the chunks, and so in the executable.
 * Without `gazetteer`, the executable has no public places and is 5 MB smaller.
 */
export async function compressedModules({ gazetteer = true } = {}): Promise<CompressedModules> {
  // These builds come before the one that they are for: a build within another never ends.
  const inputs: string[] = [];
  const standIns = new Map<string, string>();
  const stored = new Map<string, Uint8Array>();
  for (const name of compressed) {
    const path = Bun.resolveSync(name, import.meta.dirname);
    const source = await oneModule(path, inputs);
    const file = `${name.replaceAll("/", "-")}.zst`;
    const { bytes, encoded } = packed(source);
    stored.set(file, await zstandard(bytes));
    const names = exportsOf(source);
    const members = names.join() === "default" ? await membersOf(path) : [];
    standIns.set(name, standIn(file, names, { members, encoded }));
  }
  const ownStandIns = new Map(await computedModules(stored));
  for (const { path, file } of compressedOwn) {
    const source = await oneModule(join(repositorySource, path), inputs);
    stored.set(file, await zstandard(source));
    ownStandIns.set(join(repositorySource, path), standIn(file, exportsOf(source)));
  }
  const projects = "project-text.zst";
  stored.set(projects, await zstandard(JSON.stringify(await readProjectText(inputs))));
  const search = "site-search.zst";
  const client = join(repositorySource, "site/search/client.ts");
  const script = await oneModule(client, inputs, { target: "browser" });
  stored.set(search, await zstandard(`(()=>{${script}})();`));
  const texts = "guides.zst";
  stored.set(texts, await zstandard(await guides()));
  const recognition = await addRecognition(stored, inputs);
  const places = gazetteer ? await addGazetteer(stored, inputs) : withoutGazetteer;
  const pdfFiles = await addPdfData(stored, inputs);
  const smaller = await smallerModules(stored);
  await removeUnusedCompression();
  const plugin: Bun.BunPlugin = {
    name: "compressed modules",
    setup(build) {
      void smaller.setup(build);
      build.onResolve({ filter: /^compressed:/ }, ({ path }) => ({
        path: path.slice("compressed:".length),
        namespace: "stored",
      }));
      build.onLoad({ filter: /./, namespace: "stored" }, ({ path }) => ({
        contents: stored.get(path) ?? "",
        loader: "file",
      }));
      build.onLoad({ filter: /\/templates\/project-text\.ts$/ }, () => ({
        contents: [
          `import path from ${JSON.stringify(`compressed:${projects}`)} with { type: "file" };`,
          "export async function projectText() {",
          "  const bytes = await Bun.file(path).bytes();",
          "  return JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(bytes)));",
          "}",
        ].join("\n"),
        loader: "js",
      }));
      build.onLoad({ filter: /\/kit\/site\/search-source\.ts$/ }, () => ({
        contents: textModule("searchSource", search),
        loader: "js",
      }));
      build.onLoad({ filter: /\/kit\/site\/guides\.ts$/ }, () => ({
        contents: textModule("guides", texts),
        loader: "js",
      }));
      build.onLoad({ filter: /\/text\/ocr\/assets\.ts$/ }, () => ({
        contents: recognition,
        loader: "js",
      }));
      build.onLoad({ filter: /\/geo\/gazetteer\/data\.ts$/ }, () => ({
        contents: places,
        loader: "js",
      }));
      build.onLoad({ filter: /\/formats\/pdf\/pdf-data\.ts$/ }, () => ({
        contents: pdfFiles,
        loader: "js",
      }));
      build.onLoad({ filter: ownModules }, ({ path }) => ({
        contents: ownStandIns.get(path) ?? "",
        loader: "js",
      }));
      const filter = new RegExp(`^(?:${compressed.join("|")})$`);
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: "compressed" }));
      build.onLoad({ filter, namespace: "compressed" }, ({ path }) => ({
        contents: standIns.get(path) ?? "",
        loader: "js",
      }));
    },
  };
  return { plugin, inputs };
}

const withoutGazetteer = "export async function gazetteerBytes() {}";

/** The gazetteer is compressed already; `scripts/gazetteer.ts` has packed it. */
async function addGazetteer(stored: Map<string, Uint8Array>, inputs: string[]): Promise<string> {
  const name = "gazetteer.zst";
  const path = join(repositorySource, "server/domains/geo/gazetteer", name);
  inputs.push(path);
  stored.set(name, await Bun.file(path).bytes());
  return [
    `import path from ${JSON.stringify(`compressed:${name}`)} with { type: "file" };`,
    "export async function gazetteerBytes() {",
    "  return await Bun.file(path).bytes();",
    "}",
  ].join("\n");
}

/** A module whose one function returns the text that is stored under this name. */
function textModule(name: string, stored: string): string {
  return [
    `import path from ${JSON.stringify(`compressed:${stored}`)} with { type: "file" };`,
    `export async function ${name}() {`,
    "  const bytes = await Bun.file(path).bytes();",
    "  return new TextDecoder().decode(Bun.zstdDecompressSync(bytes));",
    "}",
  ].join("\n");
}

const recognitionFiles = [
  "tesseract.js-core/tesseract-core-simd-lstm.wasm",
  "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
] as const;

/** The recognition engine and its English data: Brotli packs both best, to 3.3 MiB. */
async function addRecognition(stored: Map<string, Uint8Array>, inputs: string[]): Promise<string> {
  const [engine, english] = recognitionFiles.map((name) =>
    Bun.resolveSync(name, import.meta.dirname),
  ) as [string, string];
  inputs.push(engine, english);
  const sources = {
    engineBytes: await Bun.file(engine).bytes(),
    englishData: Bun.gunzipSync(await Bun.file(english).bytes()),
  };
  const lines = [`import { brotliDecompressSync } from "node:zlib";`];
  for (const [name, bytes] of Object.entries(sources)) {
    const file = `${name}.br`;
    stored.set(file, await brotli(bytes));
    lines.push(
      `import ${name}Path from ${JSON.stringify(`compressed:${file}`)} with { type: "file" };`,
      `export async function ${name}() {`,
      `  return brotliDecompressSync(await Bun.file(${name}Path).bytes());`,
      "}",
    );
  }
  return lines.join("\n");
}

function exportsOf(source: string): readonly string[] {
  return new Bun.Transpiler({ loader: "js" }).scan(source).exports;
}

/** Names that a CommonJS library exports: in its bundle they are members of the default export. */
async function membersOf(path: string): Promise<readonly string[]> {
  const library: object = await import(path);
  return Object.keys(library).filter(
    (name) => name !== "default" && /^[A-Za-z_$][\w$]*$/.test(name),
  );
}

/**
 * The source with its longest base64 text as the bytes that it stands for, a third smaller when
 * compressed.
 */
function packed(source: string): {
  readonly bytes: Uint8Array;
  readonly encoded: EncodedPart | undefined;
} {
  const found = /[A-Za-z0-9+/]{20000,}={0,2}/.exec(source);
  const text = found?.[0] ?? "";
  const program = Buffer.from(text, "base64");
  if (found === null || program.toString("base64") !== text) {
    return { bytes: Buffer.from(source), encoded: undefined };
  }
  const before = Buffer.from(source.slice(0, found.index));
  const after = Buffer.from(source.slice(found.index + text.length));
  const encoded = { start: before.length, length: program.length };
  return { bytes: Buffer.concat([before, program, after]), encoded };
}

interface StandInParts {
  readonly members?: readonly string[];
  readonly encoded?: EncodedPart | undefined;
}

/** The module that stands where the library stood, with the same exports. */
function standIn(
  stored: string,
  names: readonly string[],
  { members = [], encoded }: StandInParts = {},
): string {
  return [
    `import path from ${JSON.stringify(`compressed:${stored}`)} with { type: "file" };`,
    `import { defaultOf, importCompressed } from ${JSON.stringify(loader)};`,
    `const library = await importCompressed(path, ${JSON.stringify(encoded)});`,
    ...names.map((name) =>
      name === "default"
        ? "export default defaultOf(library.default);"
        : `export const ${name} = library.${name};`,
    ),
    ...members.map((name) => `export const ${name} = library.default.${name};`),
  ].join("\n");
}
