import { Box, Text } from "ink";
import { useBindings } from "../kit/keys/use-keys.tsx";
import { useSkin } from "../kit/theme/use-theme.tsx";
import { keyWords } from "../kit/keys/key-table.ts";
import type { Binding } from "../kit/keys/key-bindings.ts";
import { textWidth } from "../kit/text/text-layout.ts";

interface Hint {
  readonly intent: string;
  readonly keys: string;
  readonly words: string;
  readonly rank: number;
}

function hintOf(binding: Binding): Hint {
  return {
    intent: binding.entry.intent,
    keys: keyWords(binding.entry.keys[0] ?? ""),
    words: binding.entry.words,
    rank: binding.entry.footer ?? 0,
  };
}

/** How everything else is found, and the way out: these keep their room. */
const keptIntents: ReadonlySet<string> = new Set(["help", "palette", "goBack"]);

/**
 * The hints that fit, in the order of the table's ranks; later ranks go first when it is narrow. A key
 * that can't be used now is not offered: the help says why, as pressing it does.
 */
export function footerHints(bindings: readonly Binding[], width: number): Hint[] {
  const ranked = bindings
    .filter(({ entry, reason }) => entry.footer !== undefined && reason === undefined)
    .map(hintOf)
    .toSorted((a, b) => a.rank - b.rank);
  const size = (hint: Hint) => textWidth(hint.keys) + 1 + textWidth(hint.words) + 2;
  const kept = new Set(ranked.filter((hint) => keptIntents.has(hint.intent)));
  let room = width - 1 - Array.from(kept, size).reduce((sum, one) => sum + one, 0);
  for (const hint of ranked) {
    if (kept.has(hint) || size(hint) > room) continue;
    kept.add(hint);
    room -= size(hint);
  }
  return ranked.filter((hint) => kept.has(hint));
}

/** The keys that do something now, from the key table. */
export function Footer(props: { readonly width: number }) {
  const skin = useSkin();
  const hints = footerHints(useBindings(), props.width);
  return (
    <Box height={1} flexShrink={0} width={props.width}>
      <Text wrap="truncate-end" {...skin.text}>
        {" "}
        {hints.flatMap(({ intent, keys, words }) => [
          // Few pieces: each of them costs in every frame.
          <Text key={`${intent} ${keys}`} {...skin.key}>
            {keys}
          </Text>,
          ` ${words}  `,
        ])}
      </Text>
    </Box>
  );
}
