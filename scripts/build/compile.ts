/**
 * `bun scripts/build/compile.ts ENTRY OUTFILE OPTIONS`: compiles one entry file to an executable,
 * for this machine or for another one. It is a separate process, so that a build leaves no state
 * in a test run.
 *
 * Every option is needed: without splitting a lazy import saves nothing at start; without
 * production React's development half is bundled; without the two autoload options a hostile
 * folder's bunfig.toml runs code; bytecode as ES modules, because Ink awaits at the top level.
 */
import { compressedModules } from "./compressed-modules.ts";
import { wastefulImports } from "./smaller-modules.ts";
import { orderFiles, type CompileOptions } from "./executable.ts";

/** The only program whose starts are recorded. */
const programEntry = "src/main.ts";
const [entry = "", outfile = "", given = "{}"] = process.argv.slice(2);
const options: CompileOptions = JSON.parse(given);
const { plugin, inputs } = await compressedModules({ gazetteer: options.gazetteer ?? true });
const { success, logs, metafile } = await build();
for (const { message } of logs) console.error(message);
const wasteful = wastefulImports(metafile);
for (const path of wasteful) {
  console.error(`${path} imports a module that scripts/build/smaller-modules.ts loads later`);
}
if (success && options.inputsFile !== undefined) {
  const paths = [...Object.keys(metafile?.inputs ?? {}), ...inputs];
  await Bun.write(options.inputsFile, JSON.stringify([...new Set(paths)].toSorted()));
}
process.exitCode = success && wasteful.length === 0 ? 0 : 1;

async function build(): Promise<Bun.BuildOutput> {
  const { target, constants = {}, bytecode = true } = options;
  return await Bun.build({
    entrypoints: [entry],
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // A question of 4,000 Chinese characters is an address of 36,000; Bun takes 16 KiB.
      execArgv: ["--max-http-header-size=65536"],
      ...(entry === programEntry && bytecode ? { bytecodeOrder: Object.values(orderFiles) } : {}),
      ...(target === undefined
        ? {}
        : { target: target.name as Bun.Build.CompileTarget, executablePath: target.runtime }),
    },
    minify: true,
    bytecode,
    format: "esm",
    splitting: true,
    metafile: true,
    define: {
      "process.env.NODE_ENV": '"production"',
      ...Object.fromEntries(
        Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    },
    external: ["react-devtools-core"],
    plugins: [plugin],
    throw: false,
  });
}
