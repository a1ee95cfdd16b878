import { createContext, type ReactNode } from "react";
import type { DashboardActions } from "../../surface.ts";
import { useProvided } from "../../kit/state/use-provided.ts";

const ActionsContext = createContext<DashboardActions | undefined>(undefined);

export function HostActionsProvider(props: {
  readonly actions: DashboardActions;
  readonly children: ReactNode;
}) {
  return <ActionsContext value={props.actions}>{props.children}</ActionsContext>;
}

/** What the command layer does for the dashboard: sign-in, and what is kept on the disk. */
export function useHostActions(): DashboardActions {
  return useProvided(ActionsContext, "HostActionsProvider");
}
