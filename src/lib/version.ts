import { version as packageVersion } from "../../package.json" with { type: "json" };

/** The version of this program, as package.json has it; a build keeps just this string of it. */
export const version: string = packageVersion;
