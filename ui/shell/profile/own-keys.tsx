import { useEffect, useEffectEvent, useMemo } from "react";
import { ownMember } from "#lib/own-member.ts";
import type { DialogProps } from "../../kit/dialogs/overlay.tsx";
import type { Choice } from "../../kit/dialogs/questions.ts";
import type { Binding, KeyHandlers } from "../../kit/keys/key-bindings.ts";
import { key, keyGroup, type KeyGroup } from "../../kit/keys/keys.ts";
import { useCurrentBindings, useKeys } from "../../kit/keys/use-keys.ts";
import { usePart } from "../../kit/state/part.ts";
import { useNotices } from "../notices.ts";
import { useOverlays } from "../overlays/overlays.ts";
import { usePaletteChoices } from "../overlays/use-palette-choices.ts";
import { useObjectTypes } from "../platform/use-object-types.ts";
import { places } from "../places.ts";
import { useRouter } from "../router.ts";
import type { ProfileSettings } from "./profile-settings.ts";
import { settingsPart } from "./settings-part.ts";
import { usePlugins } from "./use-plugins.ts";

/** The beginning of the intents of the profile's keys. */
const ownIntent = "own ";

/** The keys of the profile, for the table of keys. */
export function ownKeysOf({ hotkeys, plugins }: ProfileSettings): KeyGroup {
  return keyGroup(
    Object.fromEntries([
      ...Object.entries(hotkeys).map(([name, line]) => [
        ownIntent + name,
        key(name, "global", line),
      ]),
      ...plugins.map(({ key: name, words }) => [ownIntent + name, key(name, "global", words)]),
    ]),
  );
}

/** Handles the keys that the profile has. */
export function OwnKeys() {
  const { hotkeys, aliases } = usePart(settingsPart);
  const overlays = useOverlays();
  const bindings = useCurrentBindings();
  const plugins = usePlugins();
  const lines = Object.entries(hotkeys).map(([name, line]) => [
    ownIntent + name,
    () => {
      const whole = aliasLine(line, aliases) ?? line;
      overlays.show({ kind: "line", line: whole, bindings: bindings() });
    },
  ]);
  const handlers: KeyHandlers<KeyGroup> = { ...Object.fromEntries(lines), ...plugins };
  useKeys<KeyGroup>("global", handlers);
  return null;
}

/** The line that a text of the palette stands for: an alias, with what follows it. */
export function aliasLine(
  text: string,
  aliases: Readonly<Record<string, string>>,
): string | undefined {
  const [, name = "", rest = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(text) ?? [];
  const line = ownMember(aliases, name);
  return line === undefined ? undefined : [line, rest].filter((part) => part !== "").join(" ");
}

/** The choice of an alias that a pattern of the palette begins with. */
export function useAliasChoice(pattern: string, bindings: readonly Binding[]): readonly Choice[] {
  const { aliases } = usePart(settingsPart);
  const overlays = useOverlays();
  const line = aliasLine(pattern, aliases);
  return useMemo(() => {
    if (line === undefined) return [];
    const choose = () => overlays.show({ kind: "line", line, bindings });
    return [{ id: "alias", words: line, note: "alias", choose }];
  }, [line, overlays, bindings]);
}

/** The type and the filter of a line such as `licence status:open`. */
function listOf(line: string, slugs: readonly string[]) {
  const [, slug = "", filter = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  return slugs.includes(slug) ? { slug, filter } : undefined;
}

/** Does what a line of the palette says, once the Object Types are known. */
export function RunLine(
  props: DialogProps & { readonly line: string; readonly bindings: readonly Binding[] },
) {
  const { line, bindings, onClose } = props;
  const { go } = useRouter();
  const { say } = useNotices();
  const types = useObjectTypes();
  const choices = usePaletteChoices(bindings);
  const isReady = types.value !== undefined || types.failure !== undefined;
  const run = useEffectEvent(() => {
    onClose();
    const list = listOf(
      line,
      (types.value ?? []).map(({ slug }) => slug),
    );
    if (list !== undefined) {
      const { slug, filter } = list;
      const part = filter === "" ? {} : { filter: { id: crypto.randomUUID(), text: filter } };
      return go({ place: "resources", objectType: slug, ...part });
    }
    const wanted = line.toLowerCase();
    const place = places.find(({ id, words }) => id === wanted || words.toLowerCase() === wanted);
    if (place !== undefined) return go({ place: place.id });
    // A key of the profile has its line as its words, and would run itself.
    const choice = choices.find(
      ({ id, words }) => !id.startsWith(`key ${ownIntent}`) && words.toLowerCase() === wanted,
    );
    if (choice === undefined) say("note", `nothing here is called “${line}”`);
    else if (choice.reason !== undefined) say("note", `${choice.words}: ${choice.reason}`);
    else choice.choose();
  });
  useKeys("dialog", { cancel: onClose });
  useEffect(() => {
    if (isReady) run();
  }, [isReady]);
  return null;
}
