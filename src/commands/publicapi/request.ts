import type { AnyCommand } from "#cli/command.ts";
import { catalogError, exitCodes, type CatalogError } from "#contract/errors.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command, tenantOption } from "../command.ts";
import { selectionHint, type CommandContext } from "../context.ts";
import { filePath, readStdin, readText, requireJson } from "../input.ts";
import { findFile } from "../local-file.ts";
import { printAnswer } from "./answer.ts";
import { workspaceInAddress } from "./workspace.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

function queryParameters(pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) {
      throw catalogError(
        "E304",
        { details: `--param "${pair}"`, validFormats: "key=value" },
        { exitCode: exitCodes.usage },
      );
    }
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

interface RequestBody {
  readonly body?: string | Uint8Array | Bun.BunFile;
  readonly contentType?: string;
}

async function requestBody(
  context: CommandContext,
  data: string | undefined,
  file: string | undefined,
): Promise<RequestBody> {
  if (data !== undefined) {
    const text = await readText(context, data, "--data");
    requireJson(text, "--data");
    return { body: text };
  }
  if (file === undefined) return {};
  const contentType = file.endsWith(".json") ? "application/json" : "application/octet-stream";
  // How long stdin is nobody knows, and a body's length goes before it.
  if (file === "-") return { body: await readStdin(context, "--file"), contentType };
  const path = filePath(file);
  const { content: body, isRegular } = await findFile(context, path);
  if (!isRegular)
    throw catalogError("E305", { details: `${path} is not a file: use \`--file -\`` });
  return { body, contentType };
}

/** A route that needs a workspace says so about a header field; here it is a flag or a choice. */
function inWordsOfFlags(error: CatalogError): CatalogError {
  if (error.status !== 422 || !error.message.includes("#/header/X-Tenant-Id")) return error;
  const { status, problem = {} } = error;
  return catalogError("E303", { field: "--tenant-id" }, { status, problem, hint: selectionHint });
}

/**
 * `svc publicapi <method> <path>`: any authorized v4 route (spec 4.7 rule 5). An explicit
 * `--tenant-id` is sent as workspace context and changes no saved selection.
 */
export function publicapiCommand(
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
      param: {
        type: "string",
        repeatable: true,
        placeholder: "key=value",
        description: "Query parameter",
      },
      "include-headers": { type: "boolean", description: "Show status and header fields too" },
    },
    routes: [`${method} /v4/…`],
    async run(input, context) {
      const { options } = input;
      const wanted = options["tenant-id"];
      const tenantId = canonicalUuid(wanted ?? "");
      if (wanted !== undefined && tenantId === undefined) {
        throw catalogError(
          "E304",
          { details: `--tenant-id "${wanted}"`, validFormats: "UUID" },
          { exitCode: exitCodes.usage },
        );
      }
      const query = queryParameters(options.param);
      const { path } = input.arguments;
      const { checkedPath } = await import("#client/request.ts");
      checkedPath(path);
      const body = await requestBody(context, options.data, options.file);
      const [{ errorFromResponse }, { unknownOutcome }, client, settings] = await Promise.all([
        import("#client/failures.ts"),
        import("#client/unreachable.ts"),
        context.clientWithoutWorkspace(),
        context.settings(),
      ]);
      const named = tenantId ?? workspaceInAddress(path, query) ?? settings.workspace?.value.id;
      const response = await client.request(method, path, {
        query,
        tenantId: named,
        signal: context.signal,
        ...body,
      });
      if (!response.ok) {
        const subject = `${method} ${path.split("?")[0]}`;
        const asks = method === "GET";
        const unexplained = unknownOutcome({ asks, route: path, body: undefined });
        const error = await errorFromResponse(response, { subject, unexplained });
        throw named === undefined ? inWordsOfFlags(error) : error;
      }
      await printAnswer(context, response, options["include-headers"]);
    },
  });
}
