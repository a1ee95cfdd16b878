import { networkFetch } from "#lib/network-fetch.ts";
import { version } from "#lib/version.ts";
import type { CommandContext } from "../context.ts";
import { failedFinding, type Finding } from "./finding.ts";

/** A sign-in's tokens begin and end by the platform's clock. */
const largestSkewMs = 60_000;

/** Whether the platform answers, its health and version, and the difference of the clocks. */
export async function platformFindings(context: CommandContext): Promise<Finding[]> {
  const check = "platform";
  try {
    const { baseUrl } = await context.settings();
    const { createClient } = await import("#client/client.ts");
    const send = context.environment.fetch ?? networkFetch;
    let date = Number.NaN;
    // No token: the address may be wrong.
    const client = createClient({
      baseUrl: baseUrl.value,
      userAgent: `svc/${version}`,
      retry: false,
      timeoutMs: 10_000,
      fetch: async (request) => {
        const response = await send(request);
        date = Date.parse(response.headers.get("date") ?? "");
        return response;
      },
    });
    const health = await client.health.resources({ signal: context.signal });
    const now = Date.now();
    const isWell = health.status === "ok";
    return [
      {
        check,
        state: isWell ? "ok" : "warning",
        detail: `${baseUrl.value} is ${health.status}`,
        next: isWell ? undefined : "svc verify",
      },
      {
        check: "versions",
        state: "ok",
        detail: `svc ${version}, platform ${health.version ?? "unknown"}, Bun ${Bun.version}`,
      },
      clock(date, now),
    ];
  } catch (error) {
    return [failedFinding(check, error)];
  }
}

function clock(date: number, now: number): Finding {
  const check = "clock";
  if (Number.isNaN(date)) {
    return { check, state: "warning", detail: "the platform sends no time to compare with" };
  }
  const skewMs = Math.abs(now - date);
  const seconds = Math.round(skewMs / 1000);
  if (skewMs <= largestSkewMs) return { check, state: "ok", detail: `${seconds} s apart` };
  const detail = `this machine and the platform are ${seconds} s apart`;
  return { check, state: "failed", detail, next: "Set the clock of this machine" };
}
