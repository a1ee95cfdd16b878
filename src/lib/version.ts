import { version as packageVersion } from "../../package.json" with { type: "json" };

/** The version from package.json; a build keeps only this string of the file. */
export const version: string = packageVersion;

/** True if a text is the version of a release, such as `1.4.0` or `1.5.0-rc.1`. */
export function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,60}$/.test(text);
}
