import { inputError } from "#cli/errors.ts";
import type { CommandContext } from "../kit/context.ts";
import { readText } from "../kit/input/data.ts";

export const secretArgument = {
  name: "secret",
  description: "The invitation's link or its secret; `-` reads it from stdin",
} as const;

/** The secret in a link or as it is. `-` keeps it out of the shell's history. */
export async function secretOf(context: CommandContext, given: string): Promise<string> {
  const text = given === "-" ? (await readText(context, "-", "<secret>")).trim() : given;
  const secret = URL.parse(text)?.searchParams.get("secret") ?? text;
  if (/^[\w-]{1,200}$/.test(secret)) return secret;
  throw inputError("this is not an invitation's link or secret");
}
