import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { exitCodes } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";
import type { ReleaseCheck } from "../kit/platform/release-needs.ts";

export default command({
  path: "serve doctor",
  summary: "Find faults of a data directory, and make safe repairs",
  description:
    "Checks what `svc serve` needs to start, the database file, the files that documents and records name, the indexes, and that " +
    "each record matches its Object Type. With --release it also compares the needs of a release with the data and this " +
    "machine, as `svc update` does for the data in ~/.svc/platform. Exits with 1 when a finding or an unmet need remains.",
  rows: ["findings"],
  arguments: [],
  options: {
    ...dataPlaceOptions,
    fix: {
      type: "boolean",
      description: "Make repairs without data loss: indexes, unused files; stop the platform first",
    },
    release: textOption("file", "An archive of a release, whose needs are checked too"),
    digests: { type: "boolean", description: "Also read every file and check its digest" },
  },
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      findings: z.array(z.looseObject({ code: z.string(), count: z.int(), fixed: z.boolean() })),
      checked: z.record(z.string(), z.int()),
      /** The newest change of the schema that the data have. */
      schema: z.string().optional(),
      release: z
        .strictObject({
          file: z.string(),
          ok: z.boolean(),
          reason: z.string().optional(),
          nextStep: z.string().optional(),
        })
        .optional(),
    }),
  examples: ["svc serve doctor --data-dir ./data", "svc serve doctor --data-dir ./data --fix"],
  trials: ["--data-dir data"],
  async run({ options }, context) {
    const { output, signal } = context;
    const { diagnose } = await import("#server/platform/maintenance/offline-doctor.ts");
    const places = await dataPlacesOf(context, options);
    const diagnosis = await diagnose({
      ...places,
      fix: options.fix,
      withDigests: options.digests,
      signal,
    });
    const release = await releaseOf(context, options.release, {
      place: places.dataDirectory,
      schema: diagnosis.schema,
    });
    const ok = diagnosis.ok && release?.ok !== false;
    await output.data({ ...diagnosis, ok, ...given({ release }) }, ({ findings }) => [
      ...findings.flatMap(
        ({ code, subject, workspaceId, count, detail, mend, examples, fixed }) => [
          Shown.joined(
            [
              fixed ? output.tone("good", "✓") : output.tone("danger", "✗"),
              code,
              ...(subject === undefined ? [] : [subject]),
              `(${count})`,
            ],
            " ",
          ),
          shown`  ${detail}${workspaceId === undefined ? "" : ` (workspace ${workspaceId})`}`,
          ...examples.map((example) => shown`  - ${example}`),
          fixed ? shown`  Repaired` : shown`  ${mend}`,
        ],
      ),
      ...(release?.reason === undefined
        ? []
        : [
            Shown.joined([output.tone("danger", "✗"), shown`release ${release.file}`], " "),
            shown`  ${release.reason}`,
            shown`  ${release.nextStep ?? ""}`,
          ]),
    ]);
    const { workspaces, objectTypes, records, files } = diagnosis.checked;
    const parts = [
      counted(workspaces, "workspace"),
      counted(objectTypes, "Object Type"),
      counted(records, "record"),
      counted(files, "file"),
    ].join(", ");
    await output.note(shown`Checked ${parts}: ${diagnosis.ok ? "no findings" : "findings remain"}`);
    if (release?.ok === true) await output.note(shown`${release.file} can serve these data`);
    return ok ? exitCodes.done : exitCodes.failed;
  },
});

async function releaseOf(
  context: CommandContext,
  path: string | undefined,
  { place, schema }: { readonly place: string; readonly schema: string | undefined },
): Promise<ReleaseCheck | undefined> {
  if (path === undefined) return undefined;
  const { checkRelease } = await import("../kit/platform/release-needs.ts");
  return checkRelease(
    context.resolvePath(path),
    schema === undefined ? undefined : { place, schema },
  );
}
