import { useAnswer } from "../use-answer.ts";

const refreshMs = 30_000;
/** More are shown as `99`, which a narrow header has room for. */
const maximumShown = 99;

/** The number of open alerts for the user as a badge; "" without one. */
export function useOpenAlerts(enabled: boolean): string {
  const { value } = useAnswer<number | null>(
    ["alerts.count"],
    async (client, signal, tenantId) => {
      const query = { limit: 1, count: true, status: "open" } as const;
      return (await client.alerts.list({ tenantId, query, signal })).total ?? null;
    },
    { enabled, refreshMs },
  );
  return value ? `${Math.min(value, maximumShown)}` : "";
}
