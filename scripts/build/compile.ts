/**
 * `bun scripts/build/compile.ts ENTRY OUTFILE`: one entry file to an executable. In a process of
 * its own, so that a build leaves nothing behind in a test run.
 *
 * Every option is needed: without splitting a lazy import saves nothing at start; without
 * production React's development half is bundled; without the two autoload options a hostile
 * folder's bunfig.toml runs code; bytecode as ES modules, because Ink awaits at the top level.
 */
const [entry = "", outfile = ""] = process.argv.slice(2);

const result = await Bun.build({
  entrypoints: [entry],
  compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  minify: true,
  bytecode: true,
  format: "esm",
  splitting: true,
  define: { "process.env.NODE_ENV": '"production"' },
  external: ["react-devtools-core"],
  plugins: [packedFiles()],
  throw: false,
});
for (const { message } of result.logs) console.error(message);
process.exitCode = result.success ? 0 : 1;

/**
 * The largest file that is embedded as a file, compressed: whoever loads it knows both forms.
 * Only PDFs need it, in a process of their own, where unpacking takes 5 ms.
 */
function packedFiles(): Bun.BunPlugin {
  return {
    name: "packed files",
    setup(build) {
      build.onLoad({ filter: /\/unpdf\/dist\/pdfjs\.mjs$/ }, async ({ path }) => ({
        contents: Bun.zstdCompressSync(await Bun.file(path).bytes(), { level: 19 }),
        loader: "file",
      }));
    },
  };
}
