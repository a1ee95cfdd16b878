import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/counted.ts";
import { command } from "../command.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

/** `svc serve doctor`: faults of a data directory, and what mends each. */
export const serveDoctorCommand = command({
  path: "serve doctor",
  summary: "Find what is wrong in a data directory, and mend what is safe to mend",
  description:
    "Checks the database file, the files that documents and records name, the indexes, and whether each record " +
    "fits its Object Type. Exits with 1 when something stays wrong.",
  arguments: [],
  options: {
    ...dataPlaceOptions,
    fix: {
      type: "boolean",
      description: "Mend what loses nothing: indexes, files without owner; stop the platform first",
    },
    digests: { type: "boolean", description: "Also read every file and compare its digest" },
  },
  examples: ["svc serve doctor --data-dir ./data", "svc serve doctor --data-dir ./data --fix"],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const { diagnose } = await import("#server/platform/maintenance/doctor.ts");
    const diagnosis = await diagnose({
      ...dataPlacesOf(context, options),
      fix: options.fix,
      withDigests: options.digests,
      signal,
    });
    await output.data(diagnosis, ({ findings }) =>
      findings.flatMap(({ code, subject, workspaceId, count, detail, mend, examples, fixed }) => [
        `${fixed ? output.tone("good", "✓") : output.tone("danger", "✗")} ` +
          output.plain([code, subject, `(${count})`].filter(Boolean).join(" ")),
        output.plain(
          `  ${detail}${workspaceId === undefined ? "" : ` (workspace ${workspaceId})`}`,
        ),
        ...examples.map((example) => output.plain(`  - ${example}`)),
        fixed ? "  Mended" : output.plain(`  ${mend}`),
      ]),
    );
    const { workspaces, objectTypes, records, files } = diagnosis.checked;
    await output.note(
      `Checked ${counted(workspaces, "workspace")}, ${counted(objectTypes, "Object Type")}, ` +
        `${counted(records, "record")}, ${counted(files, "file")}: ${diagnosis.ok ? "nothing is wrong" : "something is wrong"}`,
    );
    return diagnosis.ok ? exitCodes.done : exitCodes.failed;
  },
});
