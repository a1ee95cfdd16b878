import { Shown, shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import { parsedJson } from "#lib/json/value.ts";
import type { CommandContext } from "../context.ts";

/** Largest body that is held in memory, for a terminal or for JSON. */
const maximumBodyBytes = 64 * 1024 * 1024;

/** The response headers without those that may carry credentials. */
function shownHeaders(response: Response): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    if (!/^(set-cookie|authorization|proxy-)/i.test(name)) headers[name] = value;
  }
  return headers;
}

/** Throws E203 for a body that is too large, breaks off or times out. */
async function wholeBody({ signal }: CommandContext, response: Response): Promise<Uint8Array> {
  const { readContent } = await import("#client/files/content.ts");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readContent(response, undefined, signal).chunks()) {
    size += chunk.byteLength;
    if (size > maximumBodyBytes) {
      const hint = "Send stdout to a file or a pipe, without --format json, to get all bytes";
      throw catalogError("E203", { details: "the response is larger than 64 MiB" }, { hint });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A captive portal or a gateway answers any request with a page. */
export function isWebPage({ headers }: Response): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers.get("content-type") ?? "");
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Prints a JSON body itself, any other one in an object with the status, as text or base64. */
async function answerJson(
  context: CommandContext,
  response: Response,
  withHeaders: boolean,
): Promise<void> {
  const { output } = context;
  const bytes = await wholeBody(context, response);
  const text = utf8(bytes);
  const json = jsonOf(response, text);
  if (json !== undefined && !withHeaders) {
    // Parsing would change large numbers and duplicate names.
    const isFaithful = JSON.stringify(json) === text;
    await (isFaithful || output.isProjected
      ? output.data(json, () => [])
      : output.page(Shown.json((text ?? "").trimEnd(), output.stdoutIsTerminal)));
    return;
  }
  const { status } = response;
  const facts = withHeaders ? { status, headers: shownHeaders(response) } : { status };
  const body =
    json !== undefined
      ? { body: json }
      : text !== undefined
        ? { body: text === "" ? null : text }
        : { bodyBase64: Buffer.from(bytes).toString("base64") };
  await output.data({ ...facts, ...body }, () => []);
}

/** The value of a response with a JSON content type; undefined for any other response. */
function jsonOf(response: Response, text: string | undefined): unknown {
  const isJson = /[/+]json\b/i.test(response.headers.get("content-type") ?? "");
  return isJson && text !== undefined ? parsedJson(text) : undefined;
}

/** Prints indented JSON, or text without control sequences; throws E305 for other bytes. */
export async function answerTerminal(context: CommandContext, response: Response): Promise<void> {
  const { output } = context;
  const bytes = await wholeBody(context, response);
  const text = utf8(bytes);
  if (text === undefined) {
    const type = response.headers.get("content-type") ?? "unknown type";
    throw inputError(
      `the response is ${bytes.byteLength} bytes of ${type}, and stdout is a terminal`,
      "Send stdout to a file or a pipe",
    );
  }
  const json = jsonOf(response, text);
  const isFaithful = json !== undefined && JSON.stringify(json) === text;
  const words = isFaithful ? JSON.stringify(json, null, 2) : text.trimEnd();
  if (words !== "") await output.page(Shown.block(words));
}

/** Prints a successful response; a file or a pipe gets its bytes unchanged in text mode. */
export async function printAnswer(
  context: CommandContext,
  response: Response,
  withHeaders: boolean,
): Promise<void> {
  const { output } = context;
  if (output.isJson) return answerJson(context, response, withHeaders);
  if (withHeaders) {
    const fields = Object.entries(shownHeaders(response)).map(
      ([name, value]) => shown`${output.tone("dim", `${name}:`)} ${value}`,
    );
    await output.note(Shown.joined([response.status, ...fields], "\n"));
  }
  if (output.stdoutIsTerminal) return answerTerminal(context, response);
  const { readContent } = await import("#client/files/content.ts");
  for await (const chunk of readContent(response, undefined, context.signal).chunks()) {
    await output.raw(chunk);
  }
}
