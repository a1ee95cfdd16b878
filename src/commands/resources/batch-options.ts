import type * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { readJson } from "../input.ts";

/** The options of every batch command. */
export const batchOptions = {
  "tenant-id": tenantOption,
  data: {
    type: "string",
    placeholder: "json",
    description: "The items as a list, `{ items }` or one; `-` reads stdin, `@path` a file",
  },
  file: { type: "string", placeholder: "path", description: "File with the items" },
  atomic: {
    type: "boolean",
    description: "All of the items or none; at most 500 of them",
  },
} as const;

/** The items of `--data` or `--file`: a list, `{ items: [...] }`, or one. E302 names the first fault. */
export async function readItems<Item>(
  context: CommandContext,
  options: { readonly data?: string | undefined; readonly file?: string | undefined },
  schema: z.ZodType<Item>,
): Promise<Item[]> {
  const { data, file } = options;
  const value = await readJson(context, { data, file });
  const items = itemsIn(value);
  return items.map((item, index) => {
    const parsed = schema.safeParse(item);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const place = [index, ...(issue?.path ?? [])].map((step) => `/${String(step)}`).join("");
    throw catalogError("E302", { details: `#${place} ${issue?.message ?? "is not valid"}` });
  });
}

function itemsIn(value: unknown): readonly unknown[] {
  const items =
    typeof value === "object" && value !== null && "items" in value ? value.items : value;
  const list: readonly unknown[] = Array.isArray(items) ? items : [value];
  if (list.length === 0) throw catalogError("E305", { details: "there are no items" });
  return list;
}
