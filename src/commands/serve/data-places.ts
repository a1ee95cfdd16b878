import { join } from "node:path";
import type { Environment } from "#cli/environment.ts";
import { catalogError } from "#contract/errors.ts";
import type { BackupManifest } from "#server/platform/backup/manifest.ts";
import type { CommandContext } from "../context.ts";

export function defaultDataDirectory(homeDirectory: string): string {
  return join(homeDirectory, ".svc", "platform");
}

/** Credentials of the file store, from the variables of the first complete prefix; else E002. */
function filesCredentials(variables: Environment["variables"], filesUrl: string | undefined) {
  for (const prefix of ["S3", "AWS"]) {
    const accessKeyId = variables[`${prefix}_ACCESS_KEY_ID`] ?? "";
    const secretAccessKey = variables[`${prefix}_SECRET_ACCESS_KEY`] ?? "";
    const sessionToken = variables[`${prefix}_SESSION_TOKEN`] ?? "";
    if (accessKeyId === "" || secretAccessKey === "") continue;
    return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
  }
  if (filesUrl === undefined || !/^s3:/i.test(filesUrl)) return undefined;
  const hint =
    "The file store needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the same two with AWS_";
  const isHalf = (variables["S3_ACCESS_KEY_ID"] ?? "") !== "";
  const name = isHalf ? "S3_SECRET_ACCESS_KEY" : "S3_ACCESS_KEY_ID";
  throw catalogError("E002", { var: name }, { hint });
}

/** The options of `svc serve` that name the places of a platform's data. */
export const dataPlaceOptions = {
  "data-dir": { type: "string", placeholder: "directory", description: "Default ~/.svc/platform" },
  "database-url": { type: "string", placeholder: "url", description: "As given to svc serve" },
  "files-url": { type: "string", placeholder: "url", description: "As given to svc serve" },
} as const;

/** The places of a platform's data, from the options and the environment. */
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
    filesCredentials: filesCredentials(environment.variables, options["files-url"]),
  };
}

/** The content of a backup, for the answers of `serve backup` and `serve restore`. */
export function backupContent({ database, files }: BackupManifest) {
  const included = database.engine === "sqlite";
  return {
    facts: {
      database: { ...database, included },
      files: { count: files.count, bytes: files.bytes },
    },
    fields: [
      ["database", included ? `${database.size} bytes` : "not included"],
      ["files", `${files.count} (${files.bytes} bytes)`],
    ],
    note: included
      ? undefined
      : "The database is PostgreSQL: back it up with pg_dump and restore it with pg_restore. " +
        "This backup holds only the files.",
  } as const;
}
