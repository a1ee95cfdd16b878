/**
 * `npm run build`: dist/svc, the executable, and dist/lib, the client as a library.
 * `--when-stale` builds the executable only, and only when its inputs have changed; `--library`
 * builds the library only. `--without-gazetteer` leaves out the 5 MB of public places.
 */
import { parseArgs } from "node:util";
import { refreshCommandFiles } from "./build/command-files.ts";
import { buildExecutable, refreshExecutable } from "./build/executable.ts";
import { buildLibrary } from "./build/library.ts";

const { values } = parseArgs({
  options: {
    "when-stale": { type: "boolean", default: false },
    library: { type: "boolean", default: false },
    "without-gazetteer": { type: "boolean", default: false },
  },
});

try {
  await refreshCommandFiles();
  if (!values["when-stale"]) {
    const library = buildLibrary().then(() => console.error("svc: built dist/lib"));
    const gazetteer = !values["without-gazetteer"];
    await Promise.all([values.library ? undefined : buildExecutable({ gazetteer }), library]);
  } else {
    await refreshExecutable();
  }
} catch (error) {
  console.error(`svc: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
