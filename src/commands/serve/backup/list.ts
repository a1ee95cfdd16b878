import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { backupPlaceOf, placeWords } from "../backup-place.ts";

export default command({
  path: "serve backup list",
  summary: "List the backups of a place, the newest first",
  description:
    "Reads the manifests only, for which no key is needed. A damaged manifest is listed as such.",
  arguments: [],
  options: {
    from: { type: "string", required: true, placeholder: "place", description: placeWords },
  },
  answerLine: ({ z }) =>
    z.looseObject({
      name: z.string(),
      state: z.enum(["complete", "damaged"]),
      createdAt: z.string().optional(),
      engine: z.string().optional(),
      files: z.int().optional(),
      bytes: z.int().optional(),
    }),
  examples: ["svc serve backup list --from ./backups"],
  trials: ["--from backups"],
  async run(input, context) {
    const { output } = context;
    const { openBackupPlace } = await import("#server/platform/backup/place/backup-place.ts");
    const { placedSets, readManifest } = await import("#server/platform/backup/sets/backup-set.ts");
    const { to, credentials } = backupPlaceOf(context, input.options.from, {});
    const place = await openBackupPlace(to, credentials);
    const rows = [];
    for (const name of (await placedSets(place)).names.toReversed()) {
      const manifest = await readManifest(place, name).catch((error: unknown) => {
        if (error instanceof Error && error.name === "DamagedFileError") return undefined;
        throw error;
      });
      if (manifest === undefined) {
        rows.push({ name, state: "damaged" as const });
        continue;
      }
      const { createdAt, engine, files, parts, svcVersion } = manifest;
      const bytes = parts.database.pieces.reduce((sum, { size }) => sum + size, 0);
      rows.push({
        name,
        state: "complete" as const,
        createdAt,
        engine,
        svcVersion,
        files: files.count,
        bytes: bytes + files.addedBytes,
      });
    }
    await output.rows(rows);
    if (rows.length === 0) await output.note(shown`no backups in ${place.name}`);
  },
});
