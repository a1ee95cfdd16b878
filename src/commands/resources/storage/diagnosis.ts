import { shown } from "#cli/shown.ts";
import { exitCodes, incompleteCheckNote } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command, type Command } from "../../kit/command.ts";
import { diagnosisLines, isUnwell } from "../../kit/storage/report.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";

/** `svc resources doctor` and `svc resources storage doctor`: exit code 1 with any finding. */
export function doctorCommand(path: string, summary: string): Command {
  return command({
    path,
    summary,
    rows: ["findings"],
    arguments: [],
    options: { "tenant-id": tenantOption },
    calls: ["storage.doctor"],
    answer: "storage.doctor",
    async run(input, { client, output, signal }) {
      const { storage } = await client({ workspace: input.options["tenant-id"] });
      const diagnosis = await storage.doctor({ signal });
      const { complete, findings } = diagnosis;
      const ok = diagnosis.ok && !(await isUnwell(diagnosis));
      await output.data(diagnosis, () => diagnosisLines(output, diagnosis));
      if (!output.isJson) {
        const some =
          findings.length === 0
            ? "The storage is not in order"
            : counted(findings.length, "finding");
        const words = ok ? "No findings" : some;
        await output.note(
          complete === false ? shown`${words}; ${incompleteCheckNote}` : shown`${words}`,
        );
      }
      return ok ? exitCodes.done : exitCodes.failed;
    },
  });
}
