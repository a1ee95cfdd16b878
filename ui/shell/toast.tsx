import type { Notice } from "./use-notices.tsx";
import type { Token } from "../kit/theme/theme.ts";
import { clipText } from "../kit/text/text-layout.ts";
import { Line } from "../kit/theme/paint.tsx";

const looks: Readonly<Record<Notice["kind"], { readonly glyph: string; readonly as: Token }>> = {
  done: { glyph: "✓", as: "good" },
  note: { glyph: "·", as: "quiet" },
  failed: { glyph: "✗", as: "bad" },
};

export function Toast(props: { readonly message: Notice; readonly width: number }) {
  const look = looks[props.message.kind];
  return (
    <Line as={look.as}>
      {" "}
      {look.glyph} {clipText(props.message.words, props.width - 4)}
    </Line>
  );
}
