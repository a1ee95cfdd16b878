import type { Membership } from "#client/index.ts";
import { useHostActions } from "./use-host-actions.tsx";
import { useNotices } from "../use-notices.tsx";
import { usePlatform } from "./use-platform.tsx";
import { useRouter } from "../use-router.tsx";

/** Opens a workspace at once and keeps the choice for the next start. */
export function useOpenWorkspace(): (membership: Membership) => void {
  const { chooseWorkspace } = usePlatform();
  const actions = useHostActions();
  const { restart } = useRouter();
  const { sayFailure } = useNotices();
  return (membership) => {
    const { id, slug, displayName } = membership;
    chooseWorkspace({ id, slug, displayName });
    restart({ place: "resources" });
    actions.chooseWorkspace({ id, slug, displayName }).catch(sayFailure);
  };
}
