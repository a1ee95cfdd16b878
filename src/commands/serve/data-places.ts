import type { Environment } from "#cli/environment.ts";
import { usageError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import type { CommandContext } from "../kit/context.ts";
import { defaultDataDirectory } from "../kit/platform/data-directory.ts";
import { secretTextOf } from "./secret-text.ts";

/**
 * Credentials of the file store, from the variables of the first complete prefix; else E002. A
 * place of backups has a prefix for credentials that the file store does not have.
 */
export function filesCredentials(
  variables: Environment["variables"],
  filesUrl: string | undefined,
  firstPrefixes: readonly string[] = [],
) {
  for (const prefix of [...firstPrefixes, "S3", "AWS"]) {
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
  "database-url": {
    type: "string",
    placeholder: "url",
    description: "As given to svc serve; also SVC_DATABASE_URL",
    excludes: ["database-url-file"],
  },
  "database-url-file": {
    type: "string",
    placeholder: "file",
    description: "Read the database's URL from this file",
  },
  "key-file": {
    type: "string",
    placeholder: "file",
    description: "As given to svc serve; also SVC_KEY_FILE",
  },
  "files-url": { type: "string", placeholder: "url", description: "As given to svc serve" },
} as const;

/** The places of a platform's data, from the options and the environment. */
export async function dataPlacesOf(
  context: CommandContext,
  options: {
    readonly "data-dir"?: string;
    readonly "database-url"?: string;
    readonly "database-url-file"?: string;
    readonly "key-file"?: string;
    readonly "files-url"?: string;
  },
) {
  const { environment } = context;
  const found = await secretTextOf(context, {
    flag: "--database-url",
    given: options["database-url"],
    file: options["database-url-file"],
    variable: "SVC_DATABASE_URL",
  });
  await requireUrls(found?.text, options["files-url"]);
  const variable = environment.variables["SVC_KEY_FILE"];
  const keyFile = options["key-file"] ?? (variable === "" ? undefined : variable);
  return {
    dataDirectory:
      options["data-dir"] === undefined
        ? defaultDataDirectory(environment.homeDirectory)
        : context.resolvePath(options["data-dir"]),
    databaseUrl: found?.text,
    keyFile: keyFile === undefined ? undefined : context.resolvePath(keyFile),
    filesUrl: options["files-url"],
    filesCredentials: filesCredentials(environment.variables, options["files-url"]),
  };
}

/** Refuses URLs of another kind before anything is opened. The database's may hold a password. */
async function requireUrls(
  databaseUrl: string | undefined,
  filesUrl: string | undefined,
): Promise<void> {
  if (databaseUrl !== undefined) {
    const { databaseUrlFault } = await import("#server/database/open.ts");
    const fault = databaseUrlFault(databaseUrl);
    if (fault !== undefined) throw usageError(fault, "Check --database-url");
  }
  if (filesUrl === undefined) return;
  const { FilesUrlError, parseFilesUrl } = await import("#server/files/s3/files-url.ts");
  try {
    parseFilesUrl(filesUrl);
  } catch (error) {
    if (!(error instanceof FilesUrlError)) throw error;
    throw usageError(error.message, "Check --files-url");
  }
}

/** Refuses PostgreSQL without a key file: its next start may have another data directory. */
export function requireKeyFile<
  Places extends {
    readonly databaseUrl: string | undefined;
    readonly keyFile: string | undefined;
  },
>(places: Places): Places {
  if (places.keyFile === undefined && /^postgres(?:ql)?:/.test(places.databaseUrl ?? "")) {
    throw usageError(
      "PostgreSQL needs --key-file or SVC_KEY_FILE",
      "Name a file outside of the database, such as /etc/svc/svc.key: the first start makes it",
    );
  }
  return places;
}
