import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import { optionOf, type Probe, type ProbeValues } from "./probes.ts";
import { endsProbes, responseVerdict, verdictOf, type Verdict } from "./verdict.ts";

/** Time limit of one probe. */
export const probeMs = 15_000;

/** Runs one probe; failures that concern every call are thrown. */
export async function verdictFor(probe: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await probe();
  } catch (error) {
    if (!(error instanceof CatalogError) || endsProbes(error)) throw error;
    return verdictOf(error);
  }
}

/** The values that a call's path names. */
export function namesIn(call: string): string[] {
  return [...call.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function filled(call: string, values: ProbeValues): string {
  const known = new Map<string, string | undefined>(Object.entries(values));
  return call.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(known.get(name) ?? ""),
  );
}

function missingValue({ call, needs }: Probe, values: ProbeValues): string | undefined {
  const known = new Map<string, string | undefined>(Object.entries(values));
  const names = [...namesIn(call), ...(needs === undefined ? [] : [needs])];
  return names.find((name) => known.get(name) === undefined);
}

export async function runProbe(
  probe: Probe,
  values: ProbeValues,
  client: Client,
  signal: AbortSignal,
): Promise<Verdict> {
  const missing = missingValue(probe, values);
  if (missing !== undefined) {
    const option = new Map<string, string>(Object.entries(optionOf)).get(missing) ?? missing;
    return { state: "not checked", detail: `needs ${option}` };
  }
  const [method = "GET", path = ""] = probe.call.split(" ");
  const query = Object.entries(probe.query?.(values) ?? {});
  const body = probe.body?.(values);
  const verdict = await verdictFor(async () =>
    responseVerdict(
      await client.request(method, filled(path, values), {
        signal,
        query,
        timeoutMs: probeMs,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      probe.isFamily === true ? "family" : "route",
    ),
  );
  const { state, status = 0 } = verdict;
  // A refused question is an answer of the family.
  const isRefused = probe.isFamily === true && state === "failing" && status >= 400 && status < 500;
  return isRefused ? { state: "present", status } : verdict;
}
