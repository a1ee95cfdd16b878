/**
 * `bun scripts/build/compile.ts ENTRY OUTFILE`: compiles one entry file to an executable. It is a
 * separate process, so that a build leaves no state in a test run.
 *
 * Every option is needed: without splitting a lazy import saves nothing at start; without
 * production React's development half is bundled; without the two autoload options a hostile
 * folder's bunfig.toml runs code; bytecode as ES modules, because Ink awaits at the top level.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressedModules } from "./compressed-modules.ts";

const folder = await mkdtemp(join(tmpdir(), "svc-build-"));

try {
  const { success, logs } = await build();
  for (const { message } of logs) console.error(message);
  process.exitCode = success ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function build(): Promise<Bun.BuildOutput> {
  const [entry = "", outfile = ""] = process.argv.slice(2);
  return await Bun.build({
    entrypoints: [entry],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    minify: true,
    bytecode: true,
    format: "esm",
    splitting: true,
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["react-devtools-core"],
    plugins: [await compressedModules(folder)],
    throw: false,
  });
}
