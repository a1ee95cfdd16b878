/**
 * `npm run foreign [-- NAME…]`: tries the product next to programs that are not ours. It installs
 * what a counterpart needs from Debian or the package registry on first use, starts it on loopback,
 * runs its matrix and prints tables. The exit code is 1 when a promise did not hold or a
 * counterpart could not be installed.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { renderGroup } from "./bench/figures.ts";
import { executable, refreshExecutable } from "./build/executable.ts";
import type { Counterpart } from "./foreign/counterpart.ts";
import { counterparts } from "./foreign/counterparts.ts";
import { installPackages } from "./foreign/packages.ts";
import { installTools } from "./tools.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !counterparts.some((each) => each.name === name));
if (wanted.includes("--help")) {
  console.log(usage());
} else if (unknown.length > 0) {
  console.error(`svc: no counterpart "${unknown.join(" ")}"\n${usage()}`);
  process.exitCode = 2;
} else {
  await refreshExecutable();
  for (const each of counterparts) {
    if (wanted.length > 0 && !wanted.includes(each.name)) continue;
    if (!(await holds(each))) process.exitCode = 1;
  }
}

function usage(): string {
  const lines = counterparts.map(({ name, about }) => `  ${name.padEnd(14)}${about}`);
  return ["npm run foreign [-- NAME…]", ...lines].join("\n");
}

/** Whether every promise holds; false also for a counterpart that cannot be installed. */
async function holds(counterpart: Counterpart): Promise<boolean> {
  const { name, tools, packages = [] } = counterpart;
  const missing = await installTools(tools);
  if (missing.length > 0) {
    const names = missing.map(({ debianPackage }) => debianPackage).join(" ");
    console.error(`svc: ${name} is not tried: install ${names}, then run this again`);
    return false;
  }
  // Servers run as another account, which may not enter a private TMPDIR.
  const directory = await mkdtemp("/tmp/svc-foreign-");
  try {
    await chmod(directory, 0o755);
    const place = {
      directory,
      executable,
      packages: await installPackages(name, packages),
      note: (line: string) => console.error(`  ${line}`),
    };
    const tables = await counterpart.run(place);
    for (const { failures, rows, ...group } of tables) {
      console.log(`\n${renderGroup(group, rows)}`);
      for (const failure of failures) console.log(`FAILED: ${failure}`);
    }
    return tables.every(({ failures }) => failures.length === 0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`svc: ${name} is not tried to its end: ${reason}`);
    return false;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
