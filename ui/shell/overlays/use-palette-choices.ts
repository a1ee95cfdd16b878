import type { Choice } from "../../kit/dialogs/questions.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { keyWords } from "../../kit/keys/key-table.ts";
import { useBindingsBelow } from "../../kit/keys/use-keys.tsx";
import { skinNames } from "../../kit/theme/theme.ts";
import { useSkinChoice } from "../../kit/theme/use-theme.tsx";
import { useHostActions } from "../platform/use-host-actions.ts";
import { useObjectTypes } from "../platform/use-object-types.ts";
import { usePlatform } from "../platform/use-platform.tsx";
import { useOpenWorkspace, useWorkspaces } from "../platform/use-workspaces.ts";
import { useNotices } from "../use-notices.tsx";
import { useRouter } from "../use-router.tsx";

/** Everything to go to or do: keys of the screen below, types, workspaces, the sign-in, skins. */
export function usePaletteChoices(atOpening: readonly Binding[]): Choice[] {
  const { route, go, restart } = useRouter();
  const { session, tenantId, changeSession } = usePlatform();
  const host = useHostActions();
  const { sayFailure } = useNotices();
  const types = useObjectTypes();
  const workspaces = useWorkspaces();
  const openWorkspace = useOpenWorkspace();
  const { skin, chooseSkin } = useSkinChoice();
  const actions = useBindingsBelow("picker", atOpening, route)
    .filter(({ entry }) => entry.onlyKey !== true)
    .map(({ entry, reason, run }): Choice => ({
      id: `key ${entry.intent}`,
      words: entry.words,
      note: keyWords(entry.keys[0] ?? ""),
      reason,
      choose: () => run(1),
    }));
  const records = (types.value ?? []).map(({ slug }): Choice => ({
    id: `type ${slug}`,
    words: slug,
    note: "records",
    choose: () => go({ place: "resources", objectType: slug }),
  }));
  const memberships = (workspaces.value ?? []).map((membership): Choice => ({
    id: `workspace ${membership.id}`,
    words: membership.slug,
    note: membership.id === tenantId ? "this workspace" : "workspace",
    choose: () => openWorkspace(membership),
  }));
  const looks = skinNames.map((name): Choice => ({
    id: `skin ${name}`,
    words: `skin ${name}`,
    note: name === skin ? "now" : "look",
    choose: () => chooseSkin(name),
  }));
  const signIn: Choice = {
    id: "sign in",
    words: "sign in, or another platform",
    note: session.baseUrl,
    choose: () => go({ place: "signIn" }),
  };
  const leave = async () => {
    changeSession(await host.signOut());
    restart({ place: "signIn" });
  };
  const signOut: Choice = {
    id: "sign out",
    words: "sign out",
    note: session.user ?? session.profile,
    choose: () => void leave().catch(sayFailure),
  };
  const account = session.signedIn ? [signIn, signOut] : [signIn];
  return [...actions, ...records, ...memberships, ...account, ...looks];
}
