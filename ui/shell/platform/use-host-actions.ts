import { requiredContext } from "../../kit/state/required-context.ts";
import type { DashboardActions } from "../../surface.ts";

/** Actions of the command layer: sign-in and stored settings. */
export const [HostActionsContext, useHostActions] =
  requiredContext<DashboardActions>("HostActionsContext");
