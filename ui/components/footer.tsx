import { Box, Text } from "ink";
import { useBindings } from "../hooks/use-keys.tsx";
import { useSkin } from "../hooks/use-theme.tsx";
import { keyWords, type Binding } from "../keys.ts";
import { textWidth } from "../text-layout.ts";

interface Hint {
  readonly intent: string;
  readonly keys: string;
  readonly words: string;
  readonly off: boolean;
  readonly rank: number;
}

function hintOf(binding: Binding): Hint {
  return {
    intent: binding.entry.intent,
    keys: keyWords(binding.entry.keys[0] ?? ""),
    words: binding.entry.words,
    off: binding.reason !== undefined,
    rank: binding.entry.footer ?? 0,
  };
}

/** The hints that fit, in the order of the table's ranks; later ranks go first when it is narrow. */
export function footerHints(bindings: readonly Binding[], width: number): Hint[] {
  const ranked = bindings
    .filter((binding) => binding.entry.footer !== undefined)
    .map(hintOf)
    .toSorted((a, b) => a.rank - b.rank);
  // Help is how everything else is found, so it keeps its room.
  const help = ranked.filter((hint) => hint.intent === "help" || hint.intent === "palette");
  const size = (hint: Hint) => textWidth(hint.keys) + 1 + textWidth(hint.words) + 2;
  let room = width - 1 - help.reduce((sum, hint) => sum + size(hint), 0);
  const kept = ranked.filter((hint) => {
    if (help.includes(hint)) return true;
    if (size(hint) > room) return false;
    room -= size(hint);
    return true;
  });
  return kept;
}

/** The keys that do something now, from the key table. */
export function Footer(props: { readonly width: number }) {
  const skin = useSkin();
  const hints = footerHints(useBindings(), props.width);
  return (
    <Box height={1} flexShrink={0} width={props.width}>
      <Text wrap="truncate-end" {...skin.text}>
        {" "}
        {hints.flatMap(({ intent, keys, words, off }) => {
          const key = `${intent} ${keys}`;
          // Few pieces: each of them costs in every frame.
          return off
            ? [
                <Text key={key} {...skin.quiet}>
                  {keys} <Text strikethrough>{words}</Text>
                </Text>,
                "  ",
              ]
            : [
                <Text key={key} {...skin.key}>
                  {keys}
                </Text>,
                ` ${words}  `,
              ];
        })}
      </Text>
    </Box>
  );
}
