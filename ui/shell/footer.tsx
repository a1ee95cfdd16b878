import { Box } from "ink";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { Text } from "../kit/theme/text.tsx";
import { hubPart, useBindings } from "../kit/keys/use-keys.ts";
import { useSkin } from "../kit/theme/use-look.tsx";
import { keyWords } from "../kit/keys/keys.ts";
import type { Binding } from "../kit/keys/key-bindings.ts";
import { mousePart, useMouse } from "../kit/mouse/mouse.ts";
import { clipText, textWidth } from "../kit/text/text-layout.ts";
import { Area, Line } from "../kit/theme/paint.tsx";
import type { Token } from "../kit/theme/skin.ts";
import type { Notice } from "./notices.ts";

function hintOf({ entry }: Binding) {
  const { intent, words, footer: rank = 0 } = entry;
  const [key = ""] = entry.keys;
  return { intent, key, keys: keyWords(key), words, rank };
}

type Hint = ReturnType<typeof hintOf>;

/** Columns that follow each hint. */
const hintGap = 2;

function hintWidth({ keys, words }: Hint): number {
  return textWidth(keys) + 1 + textWidth(words) + hintGap;
}

/** Hints that a narrow footer never drops: the way to all other keys, and the way back. */
const alwaysShown: ReadonlySet<string> = new Set(["help", "palette", "goBack"]);

/** The hints that fit, by rank, without disabled keys; a narrow footer drops the highest ranks. */
export function footerHints(bindings: readonly Binding[], width: number): Hint[] {
  const ranked = bindings
    .filter(({ entry, reason }) => entry.footer !== undefined && reason === undefined)
    .map(hintOf)
    .toSorted((a, b) => a.rank - b.rank);
  const shown = new Set(ranked.filter((hint) => alwaysShown.has(hint.intent)));
  let room = width - 1 - Array.from(shown, hintWidth).reduce((sum, one) => sum + one, 0);
  for (const hint of ranked) {
    if (shown.has(hint) || hintWidth(hint) > room) continue;
    shown.add(hint);
    room -= hintWidth(hint);
  }
  return ranked.filter((hint) => shown.has(hint));
}

function Footer(props: { readonly width: number }) {
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

/** The footer, whose hints press their keys when they are clicked. */
export function ClickedFooter({ width }: { readonly width: number }) {
  const { bindings } = usePart(hubPart);
  const mouse = usePart(mousePart);
  const node = useMouse({
    press: (x) => {
      const key = hintAt(footerHints(bindings.get(), width), x);
      if (key !== undefined) mouse.key(key);
    },
  });
  return (
    <Area height={1} node={node}>
      <Footer width={width} />
    </Area>
  );
}

/** The key of the hint at a column; undefined between hints. */
function hintAt(hints: readonly Hint[], x: number): string | undefined {
  let start = 1;
  for (const hint of hints) {
    const width = hintWidth(hint);
    if (x >= start && x < start + width - hintGap) return hint.key;
    start += width;
  }
  return undefined;
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
