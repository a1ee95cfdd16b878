import { Shown, shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

export default command({
  path: "serve doctor",
  summary: "Find faults of a data directory, and make safe repairs",
  description:
    "Checks what `svc serve` needs to start, the database file, the files that documents and records name, the indexes, and that " +
    "each record matches its Object Type. Exits with 1 when a finding remains.",
  rows: ["findings"],
  arguments: [],
  options: {
    ...dataPlaceOptions,
    fix: {
      type: "boolean",
      description: "Make repairs without data loss: indexes, unused files; stop the platform first",
    },
    digests: { type: "boolean", description: "Also read every file and check its digest" },
  },
  answer: ({ z }) =>
    z.strictObject({
      ok: z.boolean(),
      findings: z.array(z.looseObject({ code: z.string(), count: z.int(), fixed: z.boolean() })),
      checked: z.record(z.string(), z.int()),
    }),
  examples: ["svc serve doctor --data-dir ./data", "svc serve doctor --data-dir ./data --fix"],
  trials: ["--data-dir data"],
  async run({ options }, context) {
    const { output, signal } = context;
    const { diagnose } = await import("#server/platform/maintenance/offline-doctor.ts");
    const diagnosis = await diagnose({
      ...(await dataPlacesOf(context, options)),
      fix: options.fix,
      withDigests: options.digests,
      signal,
    });
    await output.data(diagnosis, ({ findings }) =>
      findings.flatMap(({ code, subject, workspaceId, count, detail, mend, examples, fixed }) => [
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
      ]),
    );
    const { workspaces, objectTypes, records, files } = diagnosis.checked;
    const parts = [
      counted(workspaces, "workspace"),
      counted(objectTypes, "Object Type"),
      counted(records, "record"),
      counted(files, "file"),
    ].join(", ");
    await output.note(shown`Checked ${parts}: ${diagnosis.ok ? "no findings" : "findings remain"}`);
    return diagnosis.ok ? exitCodes.done : exitCodes.failed;
  },
});
