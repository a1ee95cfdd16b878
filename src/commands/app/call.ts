import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { appKeyOf } from "../kit/apps/binding.ts";
import { readJsonObject } from "../kit/input/data.ts";
import { collationOption, limitOption, whereOption } from "../kit/output/pages.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

interface Call {
  readonly params: { readonly product: string; readonly path: string };
  readonly signal: AbortSignal;
}

export default command({
  path: "app call",
  summary: "Call a route that an app declares",
  description: "`svc app routes` lists them. The answer is printed as JSON.",
  arguments: [
    { name: "key", description: "Key of the app" },
    { name: "route", description: "Path of the route, e.g. applications/PA-2026-0001" },
  ],
  options: {
    "tenant-id": tenantOption,
    method: {
      type: "string",
      values: methods,
      default: "GET",
      description: "Method of the route",
    },
    data: {
      type: "string",
      placeholder: "json",
      description: "Body of POST, PUT and PATCH; `-` reads stdin, `@path` a file",
    },
    where: whereOption,
    sort: textOption("fields", "Fields of a list, `-` first for descending"),
    collation: collationOption,
    limit: limitOption("Records"),
    cursor: textOption("cursor", "`nextCursor` of the previous page"),
  },
  calls: [
    "verticals.read",
    "verticals.send",
    "verticals.replace",
    "verticals.change",
    "verticals.remove",
  ],
  answer: ({ z }) => z.unknown(),
  examples: [
    "svc app call planning-portal applications --limit 5",
    "svc app call planning-portal applications/PA-2026-0001",
    "svc app call planning-portal applications --method POST --data " +
      `'{"reference":"PA-2026-0900","site":"1 Quay Street","received":"2026-11-02","applicant":"A. Holm"}'`,
  ],
  trials: [
    {
      words: "stall-{unique} trees",
      after: [
        "app create Stall-{unique} --status active",
        "resources create vertical-product-config --data " +
          '{"vertical_key":"stall-{unique}","workflow_key":"stall-{unique}","config":' +
          '{"routes":[{"method":"GET","path":"trees","type":"street-tree"}]}}',
      ],
      isAddition: true,
    },
    { words: "stall trees --method POST --data {}", at: ["stub"], isAddition: true },
    { words: "stall trees --method PUT --data {}", at: ["stub"], isAddition: true },
    { words: "stall trees --method PATCH --data {}", at: ["stub"], isAddition: true },
    { words: "stall trees --method DELETE", at: ["stub"], isAddition: true },
  ],
  async run(input, context) {
    const { options } = input;
    const { method, data, where, sort, collation, limit, cursor } = options;
    const params = { product: appKeyOf(input.arguments.key), path: input.arguments.route };
    const hasBody = method !== "GET" && method !== "DELETE";
    if (data !== undefined && !hasBody)
      throw usageError("--data needs --method POST, PUT or PATCH");
    const { output, signal } = context;
    const body = hasBody ? await readJsonObject(context, { data: data ?? "{}" }) : undefined;
    const client = await context.client({ workspace: options["tenant-id"] });
    const call = { params, signal };
    const answer =
      body !== undefined
        ? await sent(client, method, { ...call, body })
        : method === "DELETE"
          ? await client.verticals.remove(call).then(() => null)
          : await client.verticals.read({
              ...call,
              query: given({ where, sort, collation, limit, cursor }),
            });
    await output.data(answer, () =>
      JSON.stringify(answer, null, 2)
        .split("\n")
        .map((line) => shown`${line}`),
    );
  },
});

function sent(
  { verticals }: Client,
  method: string,
  call: Call & { readonly body: Record<string, unknown> },
): Promise<unknown> {
  if (method === "PUT") return verticals.replace(call);
  return method === "PATCH" ? verticals.change(call) : verticals.send(call);
}
