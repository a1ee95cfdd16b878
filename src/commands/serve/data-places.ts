import { join } from "node:path";
import type { Environment } from "#cli/environment.ts";
import type { CommandContext } from "../context.ts";

/** Where the platform keeps its data unless `--data-dir` says otherwise. */
export function defaultDataDirectory(homeDirectory: string): string {
  return join(homeDirectory, ".svc", "platform");
}

/** Names of the file store's credentials; the first family that is set wins, as a whole. */
const credentialFamilies = ["S3", "AWS"];

/** Credentials of the file store, from the environment of whoever runs the command. */
function filesCredentials(variables: Environment["variables"]) {
  for (const family of credentialFamilies) {
    const accessKeyId = variables[`${family}_ACCESS_KEY_ID`] ?? "";
    const secretAccessKey = variables[`${family}_SECRET_ACCESS_KEY`] ?? "";
    const sessionToken = variables[`${family}_SESSION_TOKEN`] ?? "";
    if (accessKeyId === "" || secretAccessKey === "") continue;
    return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
  }
  return undefined;
}

/** Options that say where a platform keeps its data, as `svc serve` was given them. */
export const dataPlaceOptions = {
  "data-dir": {
    type: "string",
    placeholder: "directory",
    description: "Default ~/.svc/platform",
  },
  "database-url": { type: "string", placeholder: "url", description: "As given to svc serve" },
  "files-url": { type: "string", placeholder: "url", description: "As given to svc serve" },
} as const;

/** Where the options say that the data are. */
export function dataPlacesOf(
  context: CommandContext,
  options: {
    readonly "data-dir"?: string;
    readonly "database-url"?: string;
    readonly "files-url"?: string;
  },
) {
  const { environment } = context;
  return {
    dataDirectory:
      options["data-dir"] === undefined
        ? defaultDataDirectory(environment.homeDirectory)
        : context.resolvePath(options["data-dir"]),
    databaseUrl: options["database-url"],
    filesUrl: options["files-url"],
    filesCredentials: filesCredentials(environment.variables),
  };
}

/** What a backup says when its database is PostgreSQL. */
export const postgresqlWords =
  "The database is PostgreSQL: copy it with pg_dump and bring it back with pg_restore. " +
  "This backup holds the files only.";
