import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { diagnosisLines, isUnwell, statusLines } from "../kit/storage/report.ts";

export default command({
  path: "verify storage",
  summary: "Check that a workspace's storage responds and has no findings",
  arguments: [],
  options: { "tenant-id": tenantOption },
  calls: ["storage.status", "storage.doctor"],
  answer: ({ z, reply }) =>
    z.strictObject({
      ok: z.boolean(),
      status: reply("storage.status"),
      diagnosis: reply("storage.doctor"),
    }),
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const status = await client.storage.status({ signal });
    const diagnosis = await client.storage.doctor({ signal });
    const ok = diagnosis.ok && !(await isUnwell(status)) && !(await isUnwell(diagnosis));
    await output.data({ ok, status, diagnosis }, () => [
      ...statusLines(output, status),
      ...diagnosisLines(output, diagnosis),
    ]);
    if (!output.isJson) {
      await output.note(shown`The storage is ${ok ? "" : "not "}in order`);
    }
    return ok ? exitCodes.done : exitCodes.failed;
  },
});
