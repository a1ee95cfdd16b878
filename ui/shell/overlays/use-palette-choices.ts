import { useMemo } from "react";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { keysElsewhere, notHere, type Binding } from "../../kit/keys/key-bindings.ts";
import { keyWords } from "../../kit/keys/keys.ts";
import { hubPart, useBindingsBelow } from "../../kit/keys/use-keys.ts";
import { fuzzyFind } from "../../kit/lists/fuzzy.ts";
import { skinNames } from "../../kit/theme/theme.ts";
import { usePart } from "../../kit/state/part.ts";
import { useStore } from "../../kit/state/store.ts";
import { skinsPart } from "../../kit/theme/use-look.tsx";
import { useHost } from "../host.ts";
import { useObjectTypes } from "../platform/use-object-types.ts";
import { usePlatform, usePlatformLink } from "../platform/use-platform.ts";
import { useOpenWorkspace, useWorkspaces } from "../platform/use-workspaces.ts";
import { useNotices } from "../notices.ts";
import { useRoute, useRouter } from "../router.ts";

/** Everything to go to or do: keys of the screen below, types, workspaces, the sign-in, skins. */
export function usePaletteChoices(atOpening: readonly Binding[]): Choice[] {
  const { go, restart } = useRouter();
  const route = useRoute();
  const { session, tenantId } = usePlatform();
  const { changeSession } = usePlatformLink();
  const { actions: host } = useHost();
  const { sayFailure } = useNotices();
  const types = useObjectTypes();
  const workspaces = useWorkspaces();
  const openWorkspace = useOpenWorkspace();
  const skins = usePart(skinsPart);
  const skin = useStore(skins.name);
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
    isCurrent: membership.id === tenantId,
    choose: () => openWorkspace(membership),
  }));
  const looks = [...skinNames, ...skins.themes.keys()].map((name): Choice => ({
    id: `skin ${name}`,
    words: `skin ${name.replace(":", " ")}`,
    note: "look",
    isCurrent: name === skin,
    choose: () => skins.name.set(name),
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

/** Keys of other places that a pattern finds, at most. */
const mostElsewhere = 5;
const leastPattern = 2;

/** Returns a function that finds the keys which do nothing on this screen, with that reason. */
export function useChoicesElsewhere(
  bindings: readonly Binding[],
): (pattern: string) => readonly Choice[] {
  const { table } = usePart(hubPart);
  return useMemo(() => {
    const choices = keysElsewhere(table, bindings).map(({ intent, words, keys }): Choice => ({
      id: `elsewhere ${intent} ${words}`,
      words,
      note: keyWords(keys[0] ?? ""),
      reason: notHere,
      choose: () => {},
    }));
    return (pattern) =>
      pattern.trim().length < leastPattern
        ? []
        : fuzzyFind(choices, pattern, ({ words }) => words).slice(0, mostElsewhere);
  }, [table, bindings]);
}
