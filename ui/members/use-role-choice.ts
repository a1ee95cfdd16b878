import type { RoleDefinition } from "#client/index.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

/** Asks for one of the workspace's roles. */
export function useRoleChoice(): (title: string, onRole: (role: RoleDefinition) => void) => void {
  const { client, tenantId } = usePlatform();
  const overlays = useOverlays();
  return (title, onRole) => {
    if (client === undefined) return;
    overlays.wait({
      title,
      words: "Loading the roles",
      ask: async (signal) => {
        const { items } = await client.members.roleDefinitions({ tenantId, signal });
        const choices: Choice[] = items.map((role) => ({
          id: role.id,
          words: role.key,
          note: role.description ?? role.displayName,
          choose: () => onRole(role),
        }));
        return () => overlays.choose({ title, placeholder: "a role", choices });
      },
    });
  };
}
