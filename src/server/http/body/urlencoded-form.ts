import { isStorable } from "../../kit/storable-text.ts";
import { readBytes } from "./read-body.ts";

const formLimitBytes = 16 * 1024;

export class FormError extends Error {
  override readonly name = "FormError";
}

/** The fields of an urlencoded form, each at most once (RFC 6749, 3.2). */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new FormError("the body is not application/x-www-form-urlencoded");
  }
  const bytes = await readBytes(request, formLimitBytes);
  return uniqueFields(new URLSearchParams(new TextDecoder().decode(bytes)));
}

/** Query or form fields; throws `FormError` for a repeated one. */
export function uniqueFields(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (fields.has(name)) throw new FormError("a parameter is given twice");
    if (!isStorable(value)) throw new FormError("a value is not text");
    fields.set(name, value);
  }
  return fields;
}
