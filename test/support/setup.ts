import { afterAll, afterEach, expect } from "vitest";
import { relative } from "node:path";
import { repository } from "../../scripts/build/executable.ts";
import { isEarly } from "../../scripts/test-order.ts";
import { announcedBuild } from "./announced-build.ts";
import "./cheap-hashes.ts";
import { cleanUpFile, cleanUpTest } from "./cleanup.ts";

// Vitest runs this file again before each test file.

// A program under test runs as it does for a user, without the settings of the runner.
for (const name of Object.keys(process.env)) {
  if (/^(?:BUN_JSC|MIMALLOC)_/.test(name)) delete process.env[name];
}
afterEach(cleanUpTest);
afterAll(cleanUpFile);

// A wait within a test or a hook would be a part of its time.
const { testPath = "" } = expect.getState();
if (!isEarly(relative(repository, testPath))) await announcedBuild();
