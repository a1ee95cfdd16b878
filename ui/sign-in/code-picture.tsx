import { useMemo } from "react";
import { spokenPart } from "../kit/spoken/spoken.ts";
import { usePart } from "../kit/state/part.ts";
import { Text } from "../kit/theme/text.tsx";
import { useColours } from "../kit/theme/use-look.tsx";
import { useHasUnicode } from "../shell/host.ts";
import { qrLines } from "./qr-code.ts";

/**
 * The address as a QR code for a phone, where it fits into so many rows. It is drawn dark on light
 * whatever the theme, since many readers take no other one; so it needs colours and half blocks.
 */
export function CodePicture({ url, rows }: { readonly url: string; readonly rows: number }) {
  const lines = useMemo(() => qrLines(url), [url]);
  const hasColours = useColours();
  const hasUnicode = useHasUnicode();
  const isSpoken = usePart(spokenPart).isSpoken;
  if (!hasColours || !hasUnicode || isSpoken) return null;
  if (lines.length === 0 || lines.length > rows) return null;
  return lines.map((line, index) => (
    <Text key={index} wrap="truncate-end">
      {"  "}
      <Text color="#000000" backgroundColor="#ffffff">
        {line}
      </Text>
    </Text>
  ));
}
