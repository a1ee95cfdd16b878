import { Box } from "ink";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { Text } from "../kit/theme/text.tsx";
import { useBindings } from "../kit/keys/use-keys.ts";
import { useSkin } from "../kit/theme/use-look.tsx";
import { keyWords } from "../kit/keys/keys.ts";
import type { Binding } from "../kit/keys/key-bindings.ts";
import { clipText, textWidth } from "../kit/text/text-layout.ts";
import { Line } from "../kit/theme/paint.tsx";
import type { Token } from "../kit/theme/skin.ts";
import type { Notice } from "./notices.ts";

function hintOf({ entry }: Binding) {
  const { intent, words, footer: rank = 0 } = entry;
  return { intent, keys: keyWords(entry.keys[0] ?? ""), words, rank };
}

type Hint = ReturnType<typeof hintOf>;

/** Hints that a narrow footer never drops: the way to all other keys, and the way back. */
const alwaysShown: ReadonlySet<string> = new Set(["help", "palette", "goBack"]);

/** The hints that fit, by rank, without disabled keys; a narrow footer drops the highest ranks. */
export function footerHints(bindings: readonly Binding[], width: number): Hint[] {
  const ranked = bindings
    .filter(({ entry, reason }) => entry.footer !== undefined && reason === undefined)
    .map(hintOf)
    .toSorted((a, b) => a.rank - b.rank);
  const size = (hint: Hint) => textWidth(hint.keys) + 1 + textWidth(hint.words) + 2;
  const shown = new Set(ranked.filter((hint) => alwaysShown.has(hint.intent)));
  let room = width - 1 - Array.from(shown, size).reduce((sum, one) => sum + one, 0);
  for (const hint of ranked) {
    if (shown.has(hint) || size(hint) > room) continue;
    shown.add(hint);
    room -= size(hint);
  }
  return ranked.filter((hint) => shown.has(hint));
}

export function Footer(props: { readonly width: number }) {
  const skin = useSkin();
  const hints = footerHints(useBindings(), props.width);
  return (
    <Box height={1} flexShrink={0} width={props.width}>
      <Text wrap="truncate-end" {...skin.text}>
        {" "}
        {hints.flatMap(({ intent, keys, words }) => [
          // Few elements, since each costs time in every frame.
          <Text key={`${intent} ${keys}`} {...skin.key}>
            {keys}
          </Text>,
          ` ${words}  `,
        ])}
      </Text>
    </Box>
  );
}

const noticeLooks: Readonly<
  Record<Notice["kind"], { readonly glyph: string; readonly as: Token }>
> = {
  done: { glyph: "✓", as: "good" },
  note: { glyph: "·", as: "quiet" },
  failed: { glyph: "✗", as: "bad" },
};

/**
 * A message in the lower edge of the screen, for a few seconds: the keys and the corner of the edge
 * stay visible.
 */
export function Toast(props: {
  readonly message: Notice;
  readonly width: number;
  readonly row: number;
}) {
  const { message, width, row } = props;
  const look = noticeLooks[message.kind];
  const words = ` ${look.glyph} ${clipText(message.words, width - 6)} `;
  if (usePart(spokenPart).isSpoken)
    return <Line as={look.as}>{` ${look.glyph} ${message.words} `}</Line>;
  return (
    <Box position="absolute" left={1} top={Math.max(0, row)} width={textWidth(words)} height={1}>
      <Line as={look.as}>{words}</Line>
    </Box>
  );
}
