import { exitCodes } from "#contract/errors.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { backupKeyOptions, openBackupObjects, placeWords } from "../backup-place.ts";
import { dataPlaceOptions, dataPlacesOf } from "../data-places.ts";

export default command({
  path: "serve backup verify",
  summary: "Restore a backup into a scratch folder and check it",
  description:
    "Compares the digest of each part and file, loads the database, and checks its rows, indexes, " +
    "records and audit logs. Nothing runs on the restored data, and the folder is removed. Exits " +
    "with 1 when the backup is not sound.",
  arguments: [{ name: "name", description: "The backup; default the newest", optional: true }],
  options: {
    from: { type: "string", required: true, placeholder: "place", description: placeWords },
    ...backupKeyOptions,
    "data-dir": {
      ...dataPlaceOptions["data-dir"],
      description: "Has room for the scratch folder, and the key file. Default ~/.svc/platform",
    },
    "key-file": dataPlaceOptions["key-file"],
  },
  answer: ({ z }) =>
    z.looseObject({
      name: z.string(),
      ok: z.boolean(),
      faults: z.array(z.string()),
      checked: z.strictObject({
        workspaces: z.int(),
        records: z.int(),
        files: z.int(),
        auditEntries: z.int(),
      }),
    }),
  examples: [
    "svc serve backup verify --from ./backups --backup-key-file ./backup.key --data-dir ./data",
  ],
  trials: [],
  async run(input, context) {
    const { output, signal } = context;
    const { dataDirectory, keyFile } = await dataPlacesOf(context, input.options);
    const { objects } = await openBackupObjects(context, input.options.from, input.options, {
      makes: false,
    });
    const [{ verifySet }, { placedSets }, { notInPlace }, { overStorage }] = await Promise.all([
      import("#server/platform/backup/sets/verify-set.ts"),
      import("#server/platform/backup/sets/backup-set.ts"),
      import("#server/platform/backup/place/backup-place.ts"),
      import("#server/platform/storage-location.ts"),
    ]);
    const name = input.arguments.name ?? (await placedSets(objects.place)).names.at(-1);
    if (name === undefined) throw notInPlace(`A backup in ${objects.place.name}`);
    const check = await overStorage({ dataDirectory }, () =>
      verifySet({ objects, name, dataDirectory, keyFile, signal }),
    );
    const { ok, faults, checked } = check;
    await output.data({ name, ok, faults, checked }, () => [
      ok
        ? shown`${output.tone("good", "✓")} ${name} is sound`
        : shown`${output.tone("danger", "✗")} ${name} is not sound`,
      ...faults.map((fault) => shown`${fault}`),
      shown`checked: ${checked.workspaces} workspaces, ${checked.records} records, ${checked.files} files, ${checked.auditEntries} entries of audit logs`,
    ]);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});
