import { version as packageVersion } from "../../package.json" with { type: "json" };

/** The version from package.json; a build keeps only this string of the file. */
export const version: string = packageVersion;
