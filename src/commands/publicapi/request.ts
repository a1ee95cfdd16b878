import type { AnyCommand } from "#cli/command.ts";
import { catalogError } from "#contract/errors.ts";
import { command, tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { parseJson, readText } from "../input.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function queryParameters(pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) {
      throw catalogError("E304", { details: `--param "${pair}"`, validFormats: "key=value" });
    }
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

interface RequestBody {
  readonly body?: string | Bun.BunFile;
  readonly contentType?: string;
}

async function requestBody(
  context: CommandContext,
  data: string | undefined,
  file: string | undefined,
): Promise<RequestBody> {
  if (data !== undefined && file !== undefined) {
    throw catalogError("E305", { details: "--data and --file exclude each other" });
  }
  if (data !== undefined) return { body: await readText(context, data, "--data") };
  if (file === undefined) return {};
  const content = Bun.file(context.resolvePath(file));
  if (!(await content.exists())) throw catalogError("E003", { file });
  const json = file.endsWith(".json");
  return { body: content, contentType: json ? "application/json" : "application/octet-stream" };
}

/** Response fields that may be shown: none of them carries a credential. */
function shownHeaders(response: Response): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    if (!/^(set-cookie|authorization|proxy-)/i.test(name)) headers[name] = value;
  }
  return headers;
}

/** Largest body that is held as a whole: JSON, and everything else with `--format json`. */
const maximumBodyBytes = 64 * 1024 * 1024;

async function answer(
  context: CommandContext,
  response: Response,
  withHeaders: boolean,
): Promise<void> {
  const { output } = context;
  const facts = withHeaders ? { status: response.status, headers: shownHeaders(response) } : {};
  const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
  if (isJson || output.isJson) {
    const { readBoundedText } = await import("#lib/bounded-body.ts");
    const text = await readBoundedText(response, maximumBodyBytes);
    const body = isJson ? parseJson(text, "The answer") : text === "" ? null : text;
    const value = isJson && !withHeaders ? body : { status: response.status, ...facts, body };
    await output.data(value, () => JSON.stringify(value, null, 2));
    return;
  }
  if (withHeaders) {
    const fields = Object.entries(shownHeaders(response));
    await output.note(
      [
        String(response.status),
        ...fields.map(([name, value]) => `${name}: ${output.plain(value)}`),
      ].join("\n"),
    );
  }
  for await (const chunk of response.body ?? []) await output.bytes(chunk);
}

/**
 * `svc publicapi <method> <path>`: any authorized v4 route (spec 4.7 rule 5). An explicit
 * `--tenant-id` is sent as workspace context and changes no saved selection.
 */
export function publicapiCommand(method: Method, summary: string): AnyCommand<CommandContext> {
  return command({
    path: `publicapi ${method.toLowerCase()}`,
    summary,
    arguments: [{ name: "path", description: "Starts with /v4/" }],
    options: {
      "tenant-id": { ...tenantOption, description: "Exact workspace UUID, sent as X-Tenant-Id" },
      data: {
        type: "string",
        placeholder: "json",
        description: "Request body; `-` reads stdin, `@path` a file",
      },
      file: { type: "string", placeholder: "path", description: "File to send as the body" },
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
      const tenantId = options["tenant-id"];
      if (tenantId !== undefined && !uuidPattern.test(tenantId)) {
        throw catalogError("E304", { details: `--tenant-id "${tenantId}"`, validFormats: "UUID" });
      }
      const [{ errorFromResponse }, client, settings, body] = await Promise.all([
        import("#client/failures.ts"),
        context.clientWithoutWorkspace(),
        context.settings(),
        requestBody(context, options.data, options.file),
      ]);
      const response = await client.request(method, input.arguments.path, {
        query: queryParameters(options.param),
        tenantId: tenantId ?? settings.workspace?.value.id,
        signal: context.signal,
        ...body,
      });
      if (!response.ok) throw await errorFromResponse(response);
      await answer(context, response, options["include-headers"]);
    },
  });
}
