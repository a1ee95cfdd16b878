import { attribute } from "../xml.ts";

/** Elements that draw a shape, by their local names: DrawingML, VML, OpenDocument. */
const office = new Set(["sp", "wsp", "cxnSp"]);
const vml = new Set("shape rect oval line roundrect polyline arc curve".split(" "));
const openNames =
  "custom-shape rect line polyline polygon path circle ellipse connector measure regular-polygon";
const open = new Set(openNames.split(" "));
/** Elements of a shape that is a place for text, or whose content is read elsewhere. */
const noShape = new Set(["ph", "imagedata", "textpath"]);

export const shapesWithoutText =
  "This document has no text; its shapes and the pictures outside the file were not read.";

/** True for a picture that the document names and does not contain. */
function isLinked(name: string, attributes: Record<string, string>): boolean {
  if (name === "blip") {
    return has(attributes, "link") && !has(attributes, "embed");
  }
  return name === "image" && /^(?:\w+:|\.\.)?\//.test(attribute(attributes, "href") ?? "");
}

function has(attributes: Record<string, string>, name: string): boolean {
  return (attribute(attributes, name) ?? "") !== "";
}

/** Finds out if a part shows shapes or linked pictures: receives the elements of its XML. */
export class DrawnShapes {
  areVisible = false;
  readonly #isShape: (name: string, attributes: Record<string, string>) => boolean;
  #name = "";
  #depth = 0;
  #isDrawn = false;

  constructor(dialect: "office" | "open") {
    // DrawingML has a `rect` without a style, which is no shape.
    const ofOffice = (name: string, attributes: Record<string, string>): boolean =>
      office.has(name) || (vml.has(name) && attribute(attributes, "style") !== undefined);
    this.#isShape = dialect === "open" ? (name) => open.has(name) : ofOffice;
  }

  open(name: string, attributes: Record<string, string>): void {
    this.areVisible ||= isLinked(name, attributes);
    if (this.#depth === 0) {
      if (!this.#isShape(name, attributes)) return;
      this.#name = name;
      this.#isDrawn = true;
    }
    if (name === this.#name) this.#depth += 1;
    const isTextBox = name === "cNvSpPr" && attribute(attributes, "txBox") === "1";
    const isHidden = name === "cNvPr" && attribute(attributes, "hidden") === "1";
    if (noShape.has(name) || isTextBox || isHidden) this.#isDrawn = false;
  }

  close(name: string): void {
    if (this.#depth === 0 || name !== this.#name) return;
    this.#depth -= 1;
    if (this.#depth === 0) this.areVisible ||= this.#isDrawn;
  }

  /** True if shapes were drawn since the last call. */
  take(): boolean {
    const { areVisible } = this;
    this.areVisible = false;
    return areVisible;
  }
}
