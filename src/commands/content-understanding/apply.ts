import { textOption } from "#cli/command.ts";
import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { UnderstandingOperation } from "#contract/documents/content-understanding.ts";
import { exitCodes } from "#contract/errors.ts";
import { sleep } from "#lib/time/sleep.ts";
import { command } from "../kit/command.ts";
import { filePath, readJsonObject } from "../kit/input/data.ts";
import { manifestOption, readManifest, requiredTenant } from "./manifest.ts";
import { operationLines } from "./operation.ts";

const pollMs = 500;

/** The digest and the workspace of a saved plan. Throws E305 for a file that is none. */
function planFacts(plan: Readonly<Record<string, unknown>>, file: string) {
  const { digest, tenantId } = plan;
  if (typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest)) return { digest, tenantId };
  throw inputError(`${file} is not a plan`, "`svc content-understanding plan --output` saves one");
}

export default command({
  path: "content-understanding apply",
  summary: "Apply a saved plan, all of it or nothing, and wait for its trainings",
  description:
    "The platform refuses a plan when the file or the workspace has changed since. The same " +
    "--operation-id (default: from the digest) applies a plan once. The exit code is 0 when all " +
    "is in use, 1 when a part is not, and 8 when --timeout ended first.",
  waits: true,
  arguments: [],
  options: {
    file: manifestOption,
    plan: { ...textOption("path", "Plan saved by `content-understanding plan`"), required: true },
    "operation-id": textOption("id", "Name of this operation"),
    timeout: {
      type: "number",
      minimum: 1,
      maximum: 1800,
      default: 300,
      description: "Longest wait for the trainings, in seconds",
    },
    "tenant-id": requiredTenant,
  },
  calls: ["contentUnderstanding.apply", "contentUnderstanding.operation"],
  answer: "contentUnderstanding.apply",
  trials: [
    { words: "--file manifest.json --plan plan.json --tenant-id {workspace}", at: ["other"] },
  ],
  async run({ options }, context) {
    const { output, signal } = context;
    const manifest = await readManifest(context, options.file);
    const planFile = filePath(options.plan);
    const plan = await readJsonObject(context, { file: planFile });
    const { digest, tenantId } = planFacts(plan, planFile);
    const id = options["operation-id"] ?? `plan-${digest.slice(0, 32)}`;
    const { operationId } = await import("#contract/documents/content-understanding.ts");
    const checked = operationId.safeParse(id);
    if (!checked.success) throw inputError(`--operation-id ${checked.error.issues[0]?.message}`);
    const client = await context.client({ workspace: options["tenant-id"] });
    if (tenantId !== undefined && tenantId !== client.tenantId) {
      throw inputError(`${planFile} is a plan for another workspace`);
    }
    const headers = { "if-match": `"${digest}"`, "operation-id": id };
    let operation: UnderstandingOperation = await client.contentUnderstanding.apply({
      body: manifest,
      headers,
      signal,
    });
    const endsAt = performance.now() + options.timeout * 1000;
    while (operation.status === "running" && performance.now() < endsAt) {
      await output.progress("Waiting for the trainings");
      await sleep(pollMs, signal);
      const params = { operationId: id };
      operation = await client.contentUnderstanding.operation({ params, signal });
    }
    const ended = operation;
    await output.data(ended, () => operationLines(context, ended));
    if (ended.status === "succeeded") return exitCodes.done;
    if (ended.status === "running") {
      await output.note(shown`Applied; trainings go on after ${options.timeout} s`);
      return exitCodes.stillPending;
    }
    await output.note(shown`Applied, but a part can not be used: see above`);
    return exitCodes.failed;
  },
});
