import { textOption, type AnyCommand } from "#cli/command.ts";
import { inputError, usageFormatError } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command, tenantOption } from "./command.ts";
import { selectionHint, type CommandContext } from "./context.ts";
import { filePath, readStdin, readText, requireJson } from "./input/data.ts";
import { findFile } from "./input/files.ts";
import { isWebPage, printAnswer } from "./publicapi/answer.ts";
import { workspaceInAddress } from "./publicapi/workspace.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

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

/** `svc publicapi <method> <path>` (spec 4.7 rule 5); `--tenant-id` changes no saved selection. */
function publicapiCommand(
  method: Method,
  summary: string,
  examples: readonly string[],
): AnyCommand<CommandContext> {
  return command({
    path: `publicapi ${method.toLowerCase()}`,
    summary,
    arguments: [{ name: "path", description: "Starts with /v4/" }],
    examples,
    options: {
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
    },
    routes: [`${method} /v4/…`],
    async run(input, context) {
      const { options } = input;
      const { path } = input.arguments;
      const workspace = options["tenant-id"];
      const tenantId = canonicalUuid(workspace ?? "");
      if (workspace !== undefined && tenantId === undefined) {
        throw usageFormatError(`--tenant-id "${workspace}"`, "UUID");
      }
      const query = queryParameters(options.param);
      const { checkedPath } = await import("#client/request.ts");
      checkedPath(path);
      const body = await requestBody(context, options);
      const [{ errorFromResponse }, { unknownOutcome }, client, settings] = await Promise.all([
        import("#client/failures.ts"),
        import("#client/unreachable.ts"),
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
      const sent = { method, url: path, route: path, asks: method === "GET", body: undefined };
      if (response.ok && !sent.asks && isWebPage(response)) {
        await response.body?.cancel().catch(() => undefined);
        const details = "the response is a web page, which is not this platform's";
        throw catalogError("E203", { details }, { hint: unknownOutcome(sent) });
      }
      if (response.ok) return printAnswer(context, response, options["include-headers"]);
      const error = await errorFromResponse(response, {
        subject: `${method} ${path.split("?")[0]}`,
        unexplained: unknownOutcome(sent),
      });
      throw workspaceId === undefined ? asMissingFlag(error) : error;
    },
  });
}

/** `svc publicapi get|post|patch|put|delete <path>` (spec 4.7). */
export const publicapiCommands: readonly AnyCommand<CommandContext>[] = [
  publicapiCommand("GET", "Read a v4 route", [
    "svc publicapi get /v4/data/documents/records --param limit=5",
    "svc publicapi get /v4/data/documents/records/DOC-2026-000001/content > statement.pdf",
  ]),
  publicapiCommand("POST", "Send to a v4 route", ["svc publicapi post /v4/identity/me/provision"]),
  publicapiCommand("PATCH", "Change through a v4 route", [
    `svc publicapi patch /v4/identity/me/profile --data '{"displayName":"M. Okafor"}'`,
  ]),
  publicapiCommand("PUT", "Replace through a v4 route", [
    "svc publicapi put /v4/data/resources/<tenantId>/business-request/<id> --data @update.json",
  ]),
  publicapiCommand("DELETE", "Delete through a v4 route", [
    "svc publicapi delete /v4/data/resources/<tenantId>/business-request/<id>",
  ]),
];
