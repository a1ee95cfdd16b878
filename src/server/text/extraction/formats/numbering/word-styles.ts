import type { OfficePackage } from "../office.ts";
import { attribute } from "../xml.ts";
import { countOf } from "./list-counters.ts";

/** The properties of a paragraph style, with those that it inherits. */
export interface WordStyle {
  readonly list?: string | undefined;
  readonly level?: number | undefined;
  /** The style that says which list or level it has. */
  readonly origin?: string | undefined;
  readonly isHeading: boolean;
}

interface OwnStyle {
  parent?: string | undefined;
  list?: string | undefined;
  level?: number | undefined;
  isHeading?: boolean | undefined;
}

/** Paragraphs of this outline level and below are text. */
const textLevel = 9;
const plain: WordStyle = { isHeading: false };

/** True for the value of an outline level that headings have. */
export function isOutlined(value: string | undefined): boolean | undefined {
  const level = countOf(value);
  return level === undefined ? undefined : level < textLevel;
}

/** Reads the paragraph styles of a document; the result finds one by its id (none: the default). */
export function readStyles(
  file: OfficePackage,
  bytes: Uint8Array | null,
): (id: string | undefined) => WordStyle {
  const styles = new Map<string, OwnStyle>();
  let usual: string | undefined;
  let own: OwnStyle | undefined;
  if (bytes !== null) {
    file.readXml(bytes, {
      open(name, attributes) {
        const value = attribute(attributes, "val");
        if (name === "style") {
          const id = attribute(attributes, "styleId") ?? "";
          own = {};
          styles.set(id, own);
          const isDefault = /^(?:1|true|on)$/.test(attribute(attributes, "default") ?? "");
          if (isDefault && attribute(attributes, "type") === "paragraph") usual ??= id;
        } else if (own === undefined) return;
        else if (name === "basedOn") own.parent = value;
        else if (name === "numId") own.list = value;
        else if (name === "ilvl") own.level = countOf(value);
        else if (name === "outlineLvl") own.isHeading = isOutlined(value);
      },
      close(name) {
        if (name === "style") own = undefined;
      },
    });
  }
  const known = new Map<string, WordStyle>();
  return (id) => resolved(id ?? usual, styles, known);
}

/** A style after those on which it is based, each of which is resolved once. */
function resolved(
  id: string | undefined,
  styles: ReadonlyMap<string, OwnStyle>,
  known: Map<string, WordStyle>,
): WordStyle {
  const chain: string[] = [];
  const seen = new Set<string>();
  let at = id;
  while (at !== undefined && !known.has(at) && !seen.has(at) && styles.has(at)) {
    seen.add(at);
    chain.push(at);
    at = styles.get(at)?.parent;
  }
  let style = known.get(at ?? "") ?? plain;
  for (const each of chain.toReversed()) {
    const own = styles.get(each);
    const isNumbered = own?.list !== undefined || own?.level !== undefined;
    const origin = isNumbered ? each : style.origin;
    style = {
      list: own?.list ?? style.list,
      level: own?.level ?? style.level,
      isHeading: own?.isHeading ?? style.isHeading,
      origin,
    };
    known.set(each, style);
  }
  return style;
}
