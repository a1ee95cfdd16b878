import { tabbedPlace } from "../kit/places/tabbed-place.tsx";
import { Alerts } from "./alerts.ts";
import { Channels } from "./channels.ts";
import { Rules } from "./rules.ts";

/** The alerts for the user, the rules that raise them, and how they are mailed. */
export const AlertsScreen = tabbedPlace("alerts", {
  alerts: Alerts,
  rules: Rules,
  mails: Channels,
});
