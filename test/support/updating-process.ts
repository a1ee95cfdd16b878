/** `bun updating-process.ts EXECUTABLE VERSION…`: installs them in turn until it ends. */
import { replaceExecutable } from "#local/release/swap.ts";
import { fakeExecutableBytes } from "./fake-executable.ts";

const [executable = "", ...versions] = process.argv.slice(2);
console.log("ready");
for (;;) {
  for (const version of versions) {
    await replaceExecutable(executable, fakeExecutableBytes(version), version);
  }
}
