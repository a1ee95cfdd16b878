/**
 * `bun conformance-program.ts URL SCENARIO…`: runs scenarios of the public conformance suite in one
 * process, since loading it takes most of the time of one. Prints the name, the output and the exit
 * code of each as a line of JSON.
 */
import { resolve } from "node:path";

const packages = resolve(import.meta.dirname, "../../node_modules");
const suite = `${packages}/@modelcontextprotocol/conformance/dist/index.js`;
const [url = "", ...scenarios] = process.argv.slice(2);
const { log } = console;
const { exit } = process;

/** Runs the command line of the suite, which ends with a call of `process.exit`. */
async function run(scenario: string): Promise<{ exitCode: number; stdout: string }> {
  const lines: string[] = [];
  const { promise, resolve: end } = Promise.withResolvers<number>();
  const noteExit: unknown = (code: number) => end(code);
  console.log = (...values: readonly unknown[]) => void lines.push(values.join(" "));
  process.exit = noteExit as typeof process.exit;
  process.argv = [process.execPath, suite, "server", "--url", url, "--scenario", scenario];
  // A module with another query is another one, which reads the arguments again.
  await import(`${suite}?${scenario}`);
  return { exitCode: await promise, stdout: lines.join("\n") };
}

for (const scenario of scenarios) log(JSON.stringify({ scenario, ...(await run(scenario)) }));
exit(0);
