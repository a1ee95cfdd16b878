import { namesMissing } from "#contract/errors.ts";
import { BodyTooLargeError, readBoundedBytes } from "#lib/network/bounded-body.ts";
import { parsedJson, isJsonObject } from "#lib/json/value.ts";
import { redactedMark } from "#lib/text/redact.ts";
import { harmlessJson, plainText } from "#lib/text/terminal.ts";
import { utf8Text } from "#lib/text/utf8.ts";
import { secretMembers } from "./tool-schemas.ts";
import type { AgentTool } from "./tools.ts";

/** Largest answer of one call, in bytes; models read in small portions. */
export const maximumAnswerBytes = 256 * 1024;
/** Largest file of an answer, in bytes. */
const maximumFileBytes = 1024 * 1024;
const maximumProblemBytes = 16 * 1024;
const readLimitMs = 60_000;
/** Images that models see; clients show a model no other bytes. */
const shownImages = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** One part of an answer. */
export type AnswerPart =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "resource"; resource: ResourceContent };

/** Text, or bytes in base64, at an address. */
export type ResourceContent =
  | { uri: string; mimeType: string; text: string }
  | { uri: string; mimeType: string; blob: string };

/** The result of a tool call. */
export interface ToolAnswer {
  content: AnswerPart[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** A failed call: the text is for the model, which may correct its arguments. */
export function failedAnswer(words: string): ToolAnswer {
  return { content: [{ type: "text", text: words }], isError: true };
}

/** A platform's response as the result of a tool call, without the caller's secrets. */
export async function toolAnswer(
  tool: AgentTool,
  response: Response,
  secrets: readonly string[],
): Promise<ToolAnswer> {
  if (!response.ok) return failedAnswer(await refusalWords(response, secrets));
  if (tool.route.reply.type === "bytes") return fileAnswer(tool, response, secrets);
  if (response.status === 204) {
    await response.body?.cancel().catch(() => undefined);
    return jsonAnswer({ done: true });
  }
  let bytes: Uint8Array;
  try {
    bytes = await readBoundedBytes(response, maximumAnswerBytes, { limitMs: readLimitMs });
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return failedAnswer(
      `The answer is larger than ${maximumAnswerBytes} bytes. Ask for less: a smaller limit, ` +
        "a filter, or one item at a time.",
    );
  }
  const value = parsedJson(withoutSecrets(new TextDecoder().decode(bytes), secrets));
  if (value === undefined) return failedAnswer("The platform's answer is not JSON.");
  const object = isJsonObject(value) ? value : { value };
  if (tool.route.reply.type === "json") {
    for (const name of secretMembers(tool.route.reply.schema, "output")) {
      if (object[name] !== undefined) object[name] = redactedMark;
    }
  }
  return jsonAnswer(object);
}

/** A JSON object as text and as structured content. */
export function jsonAnswer(object: Record<string, unknown>): ToolAnswer {
  // Invisible characters become escapes, so that no text hides from the person who reads along.
  const text = harmlessJson(JSON.stringify(object));
  return { content: [{ type: "text", text }], structuredContent: object };
}

async function fileAnswer(
  tool: AgentTool,
  response: Response,
  secrets: readonly string[],
): Promise<ToolAnswer> {
  const found = await fileContent(`svc://files/${tool.name}`, response, secrets);
  if (typeof found === "string") return failedAnswer(found);
  const { mimeType } = found;
  const size =
    "blob" in found ? Buffer.byteLength(found.blob, "base64") : Buffer.byteLength(found.text);
  const part: AnswerPart =
    "blob" in found && shownImages.has(mimeType)
      ? { type: "image", data: found.blob, mimeType }
      : { type: "resource", resource: found };
  return { content: [part], structuredContent: { mimeType, size } };
}

/** A file's content; a sentence for one that is too large. */
async function fileContent(
  uri: string,
  response: Response,
  secrets: readonly string[],
): Promise<ResourceContent | string> {
  let bytes: Uint8Array;
  try {
    bytes = await readBoundedBytes(response, maximumFileBytes, { limitMs: readLimitMs });
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return `The file is larger than ${maximumFileBytes} bytes; read its text page by page.`;
  }
  const mimeType = response.headers.get("content-type") ?? "application/octet-stream";
  const text = /^text\/|[/+](?:json|xml)\b/i.test(mimeType) ? utf8Text(bytes) : undefined;
  return text === undefined
    ? { uri, mimeType, blob: Buffer.from(bytes).toString("base64") }
    : { uri, mimeType, text: withoutSecrets(plainText(text), secrets) };
}

/** The refusal with its reason and its faults, as text. */
async function refusalWords(response: Response, secrets: readonly string[]): Promise<string> {
  const bytes = await readBoundedBytes(response, maximumProblemBytes, {
    truncate: true,
    limitMs: readLimitMs,
  });
  const text = withoutSecrets(new TextDecoder().decode(bytes), secrets);
  const problem = parsedJson(text);
  const { status } = response;
  const code = isJsonObject(problem) ? problem["code"] : undefined;
  const isAbsent = status === 405 || status === 501 || (status === 404 && !namesMissing(code));
  const next = isAbsent ? " It may lack this call: `svc verify calls` reports what it has." : "";
  if (!isJsonObject(problem)) return `The platform refused this call with status ${status}.${next}`;
  const { type: _type, instance: _instance, ...facts } = problem;
  return `The platform refused this call: ${harmlessJson(JSON.stringify(facts))}${next}`;
}

/** Replaces each secret; short ones would match parts of ordinary words. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 8) clean = clean.replaceAll(secret, redactedMark);
  }
  return clean;
}
