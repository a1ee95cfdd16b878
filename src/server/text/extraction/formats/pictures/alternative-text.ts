import { attribute } from "../xml.ts";

const textAtMost = 2_000;
/** The name of a file or its address, or a number that a camera or a program gave. */
const fileName =
  /^(?:(?:[a-z]:[\\/]|\\\\|https?:|file:|data:|cid:).*|[^\n]{0,200}\.(?:png|jpe?g|gif|bmp|tiff?|webp|svg|emf|wmf|pdf|eps|heic)|[\w.()-]*\d{3}[\w.()-]*)$/is;
/** The name of a kind of picture, perhaps with a number, in languages that editors have. */
const kinds =
  "picture image img photo figure graphic object shape untitled bild grafik foto imagen immagine " +
  "imagem afbeelding obraz obrázek kép resim kuva bilde billede рисунок изображение картинка " +
  "图片 圖片 图像 圖像 그림 이미지 図 画像";
const kindOnly = new RegExp(`^(?:${kinds.replaceAll(" ", "|")})[\\s_-]*\\d*$`, "iu");
/** The line that editors add below the description of a model. */
const generated =
  /(?:^|\n)[^\n]*(?:automat|自动|自動|자동|автоматич|high confidence|(?:^|[^\p{L}])(?:AI|KI|IA|ИИ)(?=[^\p{L}]|$))[^\n]*$/iu;
const described = /^description:\s+/i;
const meaning = /[\p{L}\p{N}].*[\p{L}\p{N}]|\p{Extended_Pictographic}/su;

/**
 * The alternative text of a picture, which describes it to people who can't see it; "" for one
 * that is only the name of a file or of a kind.
 */
export function alternativeText(written: string | undefined): string {
  const text = (written ?? "").slice(0, textAtMost).trim().replace(described, "");
  const lines = text.includes("\n") ? text.replace(generated, "") : text;
  const own = lines.replaceAll(/\s+/g, " ").trim();
  if (!meaning.test(own) || fileName.test(own) || kindOnly.test(own)) return "";
  return isGenerated.test(own) ? "" : own;
}

/** The note alone, of a picture that has no description. */
const isGenerated = /^(?:description automatically generated|AI-generated content may be)/i;

/** Finds the alternative texts of drawings of Office, each once for a drawing. */
export class DrawingTexts {
  readonly #seen = new Set<string>();

  /** Begins another drawing, whose texts may repeat. */
  start(): void {
    this.#seen.clear();
  }

  /** The alternative text that an element has and that was not seen in this drawing. */
  open(name: string, attributes: Record<string, string>): string {
    const text = alternativeText(written(name, attributes));
    if (text === "" || this.#seen.has(text)) return "";
    this.#seen.add(text);
    return text;
  }
}

function written(name: string, attributes: Record<string, string>): string | undefined {
  if (name === "shape") return attribute(attributes, "alt");
  if (name !== "docPr" && name !== "cNvPr") return undefined;
  if (attribute(attributes, "hidden") === "1") return undefined;
  const text = attribute(attributes, "descr") ?? "";
  return text === "" ? attribute(attributes, "title") : text;
}
