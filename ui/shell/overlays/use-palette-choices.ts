import type { Choice } from "../../kit/dialogs/questions.ts";
import { keyWords } from "../../kit/keys/key-table.ts";
import type { Binding } from "../../kit/keys/key-bindings.ts";
import { skins, type SkinName } from "../../kit/theme/theme.ts";
import { useHostActions } from "../platform/use-host-actions.tsx";
import { useNotices } from "../use-notices.tsx";
import { useObjectTypes } from "../platform/use-object-types.ts";
import { useOpenWorkspace } from "../platform/use-open-workspace.ts";
import { usePlatform } from "../platform/use-platform.tsx";
import { useRouter } from "../use-router.tsx";
import { useSkinChoice } from "../../kit/theme/use-theme.tsx";
import { useWorkspaces } from "../platform/use-workspaces.ts";

/** Everything one can go to or do now: the key table's entries, types, workspaces, looks. */
export function usePaletteChoices(bindings: readonly Binding[]): Choice[] {
  const { go, restart } = useRouter();
  const { session, tenantId, changeSession } = usePlatform();
  const host = useHostActions();
  const { sayFailure } = useNotices();
  const types = useObjectTypes();
  const workspaces = useWorkspaces();
  const openWorkspace = useOpenWorkspace();
  const { skin, chooseSkin } = useSkinChoice();
  const actions = bindings
    .filter((binding) => binding.entry.onlyKey !== true)
    .map((binding): Choice => ({
      id: `key ${binding.entry.intent}`,
      words: binding.entry.words,
      beside: keyWords(binding.entry.keys[0] ?? ""),
      reason: binding.reason,
      choose: () => binding.run(1),
    }));
  const records = (types.value ?? []).map((type): Choice => ({
    id: `type ${type.slug}`,
    words: type.slug,
    beside: "records",
    choose: () => go({ place: "resources", objectType: type.slug }),
  }));
  const others = (workspaces.value ?? []).map((membership): Choice => ({
    id: `workspace ${membership.id}`,
    words: membership.slug,
    beside: membership.id === tenantId ? "this workspace" : "workspace",
    choose: () => openWorkspace(membership),
  }));
  const names = Object.keys(skins).filter((name): name is SkinName => Object.hasOwn(skins, name));
  const looks = names.map((name): Choice => ({
    id: `skin ${name}`,
    words: `skin ${name}`,
    beside: name === skin ? "now" : "look",
    choose: () => chooseSkin(name),
  }));
  const signIn: Choice = {
    id: "sign in",
    words: "sign in, or another platform",
    beside: session.baseUrl,
    choose: () => go({ place: "signIn" }),
  };
  const signOut: Choice = {
    id: "sign out",
    words: "sign out",
    beside: session.user ?? session.profile,
    choose: () => {
      const leave = async () => {
        changeSession(await host.signOut());
        restart({ place: "signIn" });
      };
      leave().catch(sayFailure);
    },
  };
  const account = session.signedIn ? [signIn, signOut] : [signIn];
  return [...actions, ...records, ...others, ...account, ...looks];
}
