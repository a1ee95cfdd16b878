import { join } from "node:path";

/** The data directory of a platform that no option names. */
export function defaultDataDirectory(homeDirectory: string): string {
  return join(homeDirectory, ".svc", "platform");
}
