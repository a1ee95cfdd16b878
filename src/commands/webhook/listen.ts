import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import type { Output } from "#cli/output/output.ts";
import { shown } from "#cli/shown.ts";
import type { PulledDeliveries } from "#contract/events/webhooks.ts";
import { sleep } from "#lib/time/sleep.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { deliveryOptions, settingsOf } from "./endpoints.ts";
import { forwarded, type ForwardResult } from "./forward.ts";

const pauseMs = 1_000;

export default command({
  path: "webhook listen",
  summary: "Bring a workspace's events to a program on this machine, while you develop it",
  description:
    "Creates a temporary endpoint with its own secret, takes its deliveries from the " +
    "platform and posts them to the URL with their signatures; the platform need not reach this " +
    "machine. Deliveries that the program refuses are retried. Ctrl+C ends it " +
    "and deletes the endpoint, which otherwise ends 5 minutes later.",
  isServer: true,
  arguments: [],
  options: {
    "forward-to": textOption("url", "URL of the program, e.g. http://127.0.0.1:3000/hooks"),
    ...deliveryOptions,
    count: {
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      description: "End after this many events",
    },
    workspace: workspaceOption,
  },
  calls: ["webhooks.create", "webhooks.pull", "webhooks.remove"],
  examples: ["svc webhook listen --forward-to http://127.0.0.1:3000/hooks --kind record"],
  trials: [{ words: "--forward-to http://127.0.0.1:9/ --count 1", at: ["other", "stub"] }],
  answerLine: ({ z }) =>
    z.looseObject({
      deliveryId: z.string(),
      type: z.string().optional(),
      responseStatus: z.int().nullable(),
    }),
  async run({ options }, context) {
    const { output, signal } = context;
    const target = URL.parse(options["forward-to"] ?? "");
    if (target === null || !/^https?:$/.test(target.protocol)) {
      throw usageFormatError("--forward-to", "an http or https URL");
    }
    const client = await context.client({ workspace: options.workspace });
    const body = { temporary: true, ...settingsOf(options) };
    const { id: endpointId, secret } = await client.webhooks.create({ body, signal });
    output.openStream();
    const params = { endpointId };
    await output.note(shown`Signed with ${secret ?? "a secret that was shown before"}`);
    await output.note(shown`Waiting for events; Ctrl+C ends`);
    try {
      let results: ForwardResult[] = [];
      for (let left = options.count ?? Number.POSITIVE_INFINITY; ;) {
        const { items } = await client.webhooks.pull({ params, body: { results }, signal });
        results = [];
        for (const item of items) {
          const result = await forwarded(item, { target, signal });
          results.push(result);
          left -= 1;
          await printed(output, item, result);
        }
        if (left <= 0) {
          await client.webhooks.pull({ params, body: { results }, signal });
          return;
        }
        if (items.length === 0) await sleep(pauseMs, signal);
      }
    } finally {
      // The caller's signal may be aborted already; the endpoint would end by itself too.
      await client.webhooks.remove({ params }).catch(() => {});
    }
  },
});

async function printed(
  output: Output,
  { type = "", subject }: PulledDeliveries["items"][number],
  result: ForwardResult,
): Promise<void> {
  if (output.isJson) {
    await output.rows([{ ...result, type, subject }]);
    return;
  }
  const answer = String(result.responseStatus ?? result.error);
  await output.page(shown`${type} ${subject ?? ""} ${answer}`);
}
