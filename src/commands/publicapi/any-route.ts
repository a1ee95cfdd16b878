import { textOption } from "#cli/command.ts";
import { inputError, usageFormatError } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { Method } from "#contract/route.ts";
import { given } from "#lib/given.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command, type Command, type VerbFacts } from "../kit/command.ts";
import { selectionHint, type CommandContext } from "../kit/context.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { filePath, readStdin, readText, requireJson } from "../kit/input/data.ts";
import { findFile } from "../kit/input/files.ts";
import { isWebPage, printAnswer } from "../kit/output/response.ts";

const uuid = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** A copy of the contract's paths, which would take longer to load; a test compares them. */
const namingPaths: readonly RegExp[] = [
  new RegExp(`^/v4/platform/tenants/${uuid}(?:/|$)`, "i"),
  new RegExp(`^/v4/data/resources/(?:schema/)?${uuid}(?:/|$)`, "i"),
  new RegExp(`^/v4/ai/chat/(?:stream/)?${uuid}(?:/|$)`, "i"),
];

function queryParameters(pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) throw usageFormatError(`--param "${pair}"`, "key=value");
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

interface RequestBody {
  readonly body?: string | Uint8Array | Bun.BunFile;
  readonly contentType?: string;
}

async function requestBody(
  context: CommandContext,
  { data, file }: { readonly data?: string; readonly file?: string },
): Promise<RequestBody> {
  if (data !== undefined) {
    const text = await readText(context, data, "--data");
    requireJson(text, "--data");
    return { body: text };
  }
  if (file === undefined) return {};
  const contentType = file.endsWith(".json") ? "application/json" : "application/octet-stream";
  // A body's length is sent before it, so stdin is read whole.
  if (file === "-") return { body: await readStdin(context, "--file"), contentType };
  const path = filePath(file);
  const { content: body, isRegular } = await findFile(context, path);
  if (!isRegular) throw inputError(`${path} is not a file: use \`--file -\``);
  return { body, contentType };
}

/** The error about a missing `X-Tenant-Id` header as one about the `--tenant-id` flag. */
function asMissingFlag(error: CatalogError): CatalogError {
  if (error.status !== 422 || !error.message.includes("#/header/X-Tenant-Id")) return error;
  const { status, problem = {} } = error;
  return catalogError("E303", { field: "--tenant-id" }, { status, problem, hint: selectionHint });
}

const options = {
  "tenant-id": { ...tenantOption, description: "Exact workspace UUID, sent as X-Tenant-Id" },
  data: {
    type: "string",
    placeholder: "json",
    description: "Request body; `-` reads stdin, `@path` a file",
    excludes: ["file"],
  },
  file: {
    type: "string",
    placeholder: "path",
    description: "File to send as the body, of any size; `-` reads stdin, at most 64 MiB",
  },
  param: { ...textOption("key=value", "Query parameter"), repeatable: true },
  "include-headers": { type: "boolean", description: "Also show the status and the headers" },
} as const;

/** `svc publicapi <method> <path>` (spec 4.7 rule 5); `--tenant-id` changes no saved selection. */
export function publicapiCommand(method: Method, facts: VerbFacts): Command {
  return command({
    ...facts,
    path: `publicapi ${method.toLowerCase()}`,
    arguments: [{ name: "path", description: "Starts with /v4/" }],
    options,
    calls: [`${method} /v4/…`],
    answer: ({ z }) => z.unknown().describe("The JSON that the platform sent"),
    async run(input, context) {
      const { path } = input.arguments;
      const { data, file, "tenant-id": workspace } = input.options;
      const tenantId = canonicalUuid(workspace ?? "");
      if (workspace !== undefined && tenantId === undefined) {
        throw usageFormatError(`--tenant-id "${workspace}"`, "UUID");
      }
      const query = queryParameters(input.options.param);
      const { checkedPath } = await import("#client/request/request.ts");
      checkedPath(path);
      const body = await requestBody(context, given({ data, file }));
      const [client, settings] = await Promise.all([
        context.clientWithoutWorkspace(),
        context.settings(),
      ]);
      const workspaceId =
        tenantId ?? workspaceInAddress(path, query) ?? settings.workspace?.value.id;
      const response = await client.request(method, path, {
        query,
        tenantId: workspaceId,
        signal: context.signal,
        ...body,
      });
      const isRead = method === "GET";
      if (response.ok && (isRead || !isWebPage(response))) {
        return printAnswer(context, response, input.options["include-headers"]);
      }
      const [{ errorFromResponse }, { unknownOutcome }] = await Promise.all([
        import("#client/failures.ts"),
        import("#client/transport/unreachable.ts"),
      ]);
      const sent = { method, url: path, route: path, asks: isRead, body: undefined };
      if (response.ok) {
        await response.body?.cancel().catch(() => undefined);
        const details = "the response is a web page, which is not this platform's";
        throw catalogError("E203", { details }, { hint: unknownOutcome(sent) });
      }
      const error = await errorFromResponse(response, {
        subject: `${method} ${path.split("?")[0]}`,
        unexplained: unknownOutcome(sent),
      });
      throw workspaceId === undefined ? asMissingFlag(error) : error;
    },
  });
}

/** The workspace that an address names; it must equal `X-Tenant-Id` (spec 5.2). */
export function workspaceInAddress(
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): string | undefined {
  const [pathname = "", ...search] = path.split("?");
  for (const pattern of namingPaths) {
    const named = pattern.exec(pathname)?.[1];
    if (named !== undefined) return named.toLowerCase();
  }
  const inQuery = [...new URLSearchParams(search.join("?")), ...query];
  return inQuery.find(([name]) => name === "tenant_id")?.[1];
}
