import { inject } from "vitest";

/** Asks the server of this run (see global-setup.ts) and answers the strings of its reply. */
export async function askRun(
  method: "POST" | "DELETE",
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`http://localhost${path}`, { unix: inject("runSocket"), method });
  if (!response.ok) throw new Error(await response.text());
  const answer: unknown = await response.json();
  if (typeof answer !== "object" || answer === null) throw new Error(`no answer to ${path}`);
  return { ...answer };
}
