import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of the process, then those of .env.local: the platform and the app's sign-in. */
export function readEnvironment() {
  let stored = {};
  try {
    stored = parseEnv(readFileSync(".env.local", "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return { ...stored, ...process.env };
}
