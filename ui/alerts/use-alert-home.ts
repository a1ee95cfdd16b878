import { headingRow, type HomePart } from "../shell/home/home-rows.ts";
import { useOpenAlerts } from "../shell/platform/feed/use-open-alerts.ts";
import { useRouter } from "../shell/router.ts";

/** The open alerts for the user. */
export function useAlertHome(): HomePart {
  const { go } = useRouter();
  const open = useOpenAlerts(true);
  if (open === "") return { rows: [] };
  return {
    isUrgent: true,
    rows: [
      headingRow("Alerts", {
        id: "alerts",
        right: [{ text: ` ${open} open `, as: "warn" }],
        open: () => go({ place: "alerts" }),
        command: [["alert", "list"]],
      }),
    ],
  };
}
