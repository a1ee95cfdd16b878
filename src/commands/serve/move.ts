import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { defaultDataDirectory } from "../kit/platform/data-directory.ts";
import { dataPlaceOptions, filesCredentials } from "./data-places.ts";
import { secretTextOf } from "./secret-text.ts";

const placeWords = "sqlite:DIRECTORY, postgres://…, or postgres for SVC_DATABASE_URL";

interface MoveWords {
  readonly from: string;
  readonly to: string;
  readonly "data-dir"?: string;
  readonly "database-url-file"?: string;
  readonly "from-files-url"?: string;
  readonly "to-files-url"?: string;
}

export default command({
  path: "serve move",
  summary: "Move a platform between SQLite and PostgreSQL while it works",
  description:
    "Copies all data and files to an empty database of the other kind in parts; after an interruption the " +
    "same command continues. For the last part the platform refuses writes (503), all tables are " +
    "compared by count and digest, and the source stays read-only. Then start the platform on the " +
    "target, with the same key file.",
  arguments: [],
  options: {
    from: { type: "string", required: true, placeholder: "place", description: placeWords },
    to: { type: "string", required: true, placeholder: "place", description: placeWords },
    "data-dir": {
      ...dataPlaceOptions["data-dir"],
      description: "The data directory of the platform on PostgreSQL. Default ~/.svc/platform",
    },
    "database-url-file": dataPlaceOptions["database-url-file"],
    "from-files-url": {
      ...dataPlaceOptions["files-url"],
      description: "The S3-compatible store of the source; default its data directory",
    },
    "to-files-url": {
      ...dataPlaceOptions["files-url"],
      description: "The S3-compatible store of the target; default its data directory",
    },
    prepare: {
      type: "boolean",
      description: "Copy while the platform works, and leave the last part to another call",
      excludes: ["verify", "reopen"],
    },
    verify: {
      type: "boolean",
      description: "Only compare all rows and the digests of the target's files",
      excludes: ["reopen"],
    },
    reopen: {
      type: "boolean",
      description: "Let the source accept writes again, and count what the target took since",
    },
  },
  answer: ({ z }) =>
    z.looseObject({
      action: z.enum(["moved", "prepared", "verified", "reopened"]),
      ok: z.boolean(),
      tables: z.array(
        z.looseObject({
          table: z.string(),
          rows: z.int(),
          digest: z.string(),
          added: z.int(),
          changed: z.int(),
          removed: z.int(),
        }),
      ),
    }),
  examples: [
    "svc serve move --from sqlite:/var/lib/svc --to postgres --data-dir /var/lib/svc-pg --prepare",
    "svc serve move --from sqlite:/var/lib/svc --to postgres --data-dir /var/lib/svc-pg",
  ],
  trials: [],
  async run({ options }, context) {
    const { output, signal } = context;
    const from = await placeOf(context, options, "from");
    const to = await placeOf(context, options, "to");
    const onProgress = (words: string): void => void output.progress(words);
    const given = { from, to, signal, onProgress };
    const { moveData, reopenSource, verifyMove } =
      await import("#server/platform/move/move-data.ts");
    if (options.reopen) {
      const { since, tables } = await reopenSource(given);
      await output.data({ action: "reopened", ok: true, since, tables }, () =>
        output.fields([
          ["source", "accepts writes again"],
          [
            "taken by the target since",
            `${since.added} rows added, ${since.changed} changed, ${since.removed} removed`,
          ],
        ]),
      );
      if (since.added + since.changed + since.removed === 0) return exitCodes.done;
      await output.note(shown`These rows are only in the target. Stop the platform there.`);
      return exitCodes.done;
    }
    if (options.verify) {
      const { ok, isSourceOpen, tables, rows, files } = await verifyMove(given);
      const unequal = tables.filter((each) => each.added + each.changed + each.removed > 0);
      await output.data({ action: "verified", ok, isSourceOpen, rows, files, tables }, () =>
        output.fields([
          ["tables", `${counted(tables.length, "table")}, ${counted(rows, "row")}`],
          ["files", `${files.files} (${files.bytes} bytes), ${files.lost} missing or damaged`],
          ["differences", unequal.map(({ table }) => table).join(", ") || "none"],
        ]),
      );
      if (isSourceOpen)
        await output.note(shown`The source accepts writes, so that rows may differ.`);
      return ok ? exitCodes.done : exitCodes.failed;
    }
    const report = await moveData({ ...given, preparesOnly: options.prepare });
    const { rows, files, copiedRows, copySeconds, readOnlySeconds } = report;
    const perSecond = Math.round(copiedRows / Math.max(copySeconds, 0.001));
    const ok = files.lost === 0;
    const action = options.prepare ? "prepared" : "moved";
    await output.data({ action, ok, perSecond, ...report }, () =>
      output.fields([
        [action, `${counted(report.tables.length, "table")}, ${counted(rows, "row")}`],
        ["copied", `${copiedRows} rows in ${copySeconds.toFixed(1)} s (${perSecond} per second)`],
        ["files", `${files.files} (${files.bytes} bytes)`],
        ...(options.prepare
          ? []
          : ([
              ["read-only", `${readOnlySeconds.toFixed(1)} s until the end of the move`],
            ] as const)),
      ]),
    );
    await output.note(
      options.prepare
        ? shown`The platform still works on the source. The same command without --prepare ends the move.`
        : shown`Start the platform on the target with the same key file. The source stays read-only.`,
    );
    if (ok) return exitCodes.done;
    const lost = counted(files.lost, "file");
    await output.note(shown`Missing or damaged in the source, and not moved: ${lost}.`);
    return exitCodes.failed;
  },
});

/** The place in `--from` or `--to`; throws a usage error for other text. */
async function placeOf(context: CommandContext, options: MoveWords, name: "from" | "to") {
  const { environment } = context;
  const text = options[name];
  const filesUrl = options[`${name}-files-url`];
  const files = { filesUrl, filesCredentials: filesCredentials(environment.variables, filesUrl) };
  const [, directory] = /^sqlite:(.+)$/.exec(text) ?? [];
  if (directory !== undefined) {
    return { dataDirectory: context.resolvePath(directory), databaseUrl: undefined, ...files };
  }
  const dataDirectory =
    options["data-dir"] === undefined
      ? defaultDataDirectory(environment.homeDirectory)
      : context.resolvePath(options["data-dir"]);
  const found = await secretTextOf(context, {
    flag: "--database-url",
    given: /^postgres(?:ql)?:\/\//.test(text) ? text : undefined,
    file: options["database-url-file"],
    variable: "SVC_DATABASE_URL",
  });
  if (/^postgres(?:ql)?(?::\/\/.*)?$/.test(text) && found !== undefined) {
    return { dataDirectory, databaseUrl: found.text, ...files };
  }
  // The URL may hold a password.
  throw usageError(`--${name} is not a place of data`, `Expected ${placeWords}`);
}
