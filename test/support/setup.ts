import { afterAll, afterEach } from "vitest";
import "./cheap-hashes.ts";
import { cleanUpFile, cleanUpTest } from "./cleanup.ts";

// Vitest runs this file again before each test file.

// A program under test runs as it does for a user, without the settings of the runner.
for (const name of Object.keys(process.env)) {
  if (/^(?:BUN_JSC|MIMALLOC)_/.test(name)) delete process.env[name];
}
afterEach(cleanUpTest);
afterAll(cleanUpFile);
