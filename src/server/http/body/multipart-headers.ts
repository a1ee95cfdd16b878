/** The header fields of one part of a form (RFC 7578 section 4). */
export interface PartHeaders {
  readonly name: string;
  /** The client's text, for display only: it may contain slashes, dots and line ends. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Parses a part's header block. `undefined` for a missing or repeated disposition, a missing name,
 * a transfer encoding and a folded line.
 */
export function parsePartHeaders(block: string): PartHeaders | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\r\n")) {
    if (line === "") continue;
    const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    if (fields.has(key)) return undefined;
    fields.set(key, value.trim());
  }
  // Deprecated by RFC 7578 4.7. Bytes are not decoded, so an encoding must not be ignored.
  const encoding = fields.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!["binary", "7bit", "8bit"].includes(encoding)) return undefined;
  const parameters = dispositionParameters(fields.get("content-disposition") ?? "");
  const name = parameters?.get("name");
  if (parameters === undefined || name === undefined) return undefined;
  return {
    name,
    filename: extendedValue(parameters.get("filename*")) ?? parameters.get("filename"),
    contentType: fields.get("content-type"),
  };
}

const parameterPattern =
  /;[ \t]*([a-zA-Z]+\*?)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))[ \t]*/y;

function dispositionParameters(text: string): Map<string, string> | undefined {
  const start = /^form-data[ \t]*/i.exec(text);
  if (start === null) return undefined;
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = start[0].length;
  while (parameterPattern.lastIndex < text.length) {
    const match = parameterPattern.exec(text);
    if (match === null) return undefined;
    const [, key = "", quoted, token] = match;
    const name = key.toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, token ?? unescapeQuoted(quoted ?? ""));
  }
  return parameters;
}

/**
 * Browsers send `"` and line ends as %22, %0D and %0A (WHATWG HTML, multipart encoding). Older
 * clients escape `"` and the backslash with a backslash.
 */
function unescapeQuoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, "$1")
    .replace(/%22|%0D|%0A/gi, (code) => decodeURIComponent(code));
}

/** The decoded text of a value such as `UTF-8''na%C3%AFve.pdf` (RFC 8187). */
function extendedValue(text: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text ?? "") ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The boundary of a multipart/form-data content type; `undefined` for any other type. */
export function formBoundary(contentType: string | null): string | undefined {
  const [, quoted, token] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))\s*(?:;|$)/i.exec(
      contentType ?? "",
    ) ?? [];
  return quoted ?? token;
}
