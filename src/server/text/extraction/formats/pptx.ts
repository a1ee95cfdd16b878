import type { DocumentMetadata, PagePicture, PageWriter } from "../extracted-document.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { drawingText, textsNextTo } from "./drawing.ts";
import { filesIn, readFiles, type FileReader } from "./embedded/embedded-files.ts";
import { DrawnShapes } from "./pictures/drawn-shapes.ts";
import { writePictures } from "./pictures/embedded-pictures.ts";
import { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";

/**
 * Reads a PPTX: one page per slide in the order of the show, with its tables (one line per row,
 * tabs between cells), charts, SmartArt, comments and the speaker's notes. Hidden slides are read
 * too; the text of masters and layouts follows once, then the files within the presentation.
 */
export async function extractPptx(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  read: FileReader,
): Promise<DocumentMetadata> {
  const file = new OfficePackage(bytes, limits, "PowerPoint presentation");
  const related = file.relationships(file.main);
  const slides: string[] = [];
  file.readXml(file.part(file.main), {
    open(name, attributes) {
      if (name !== "sldId") return;
      // A slide has an `id` without a prefix too, which is no relationship.
      const key = Object.keys(attributes).find((each) => each.endsWith(":id")) ?? "id";
      const target = related.get(attribute(attributes, key) ?? "");
      if (target?.type === "slide") slides.push(target.target);
    },
  });
  for (const [index, slide] of slides.entries()) {
    const notes = [...file.relationships(slide).values()].find(({ type }) => type === "notesSlide");
    const part = notes === undefined ? null : file.optionalPart(notes.target);
    const shapes = new DrawnShapes("office");
    const texts = [
      drawingText(file, file.part(slide), shapes),
      ...textsNextTo(file, slide),
      part === null ? "" : drawingText(file, part),
    ];
    const picture = shapes.areVisible ? drawing : undefined;
    await writer.page(texts.filter((text) => text !== "").join("\n\n"), picture);
    await writer.progress(index + 1, slides.length);
  }
  const around = [...new Set(masters(file, slides).map((part) => ownText(file, part)))];
  const text = around.filter((each) => each !== "").join("\n\n");
  if (text !== "") await writer.flow(text);
  await writePictures(writer, file.pictures("ppt/media"));
  await readFiles(filesIn(file), { limits, writer, read });
  return file.metadata();
}

/** A slide of shapes shows something, although it may have no text. */
const drawing = async (): Promise<PagePicture> => ({ kind: "drawing" });

/** The layouts of the slides, and their masters: what they show is on each of their slides. */
function masters(file: OfficePackage, slides: readonly string[]): string[] {
  const partsOf = (part: string, kind: string): string[] =>
    [...file.relationships(part).values()].flatMap(({ type, target }) =>
      type === kind ? [target] : [],
    );
  const layouts = new Set(slides.flatMap((slide) => partsOf(slide, "slideLayout")));
  return [...layouts, ...new Set([...layouts].flatMap((layout) => partsOf(layout, "slideMaster")))];
}

/** The text of a layout's own shapes; that of a placeholder is only a prompt. */
function ownText(file: OfficePackage, part: string): string {
  const bytes = file.optionalPart(part);
  if (bytes === null) return "";
  const texts: string[] = [];
  let text = "";
  let isPlaceholder = false;
  let inText = false;
  file.readXml(bytes, {
    open(name) {
      if (name === "sp") [text, isPlaceholder] = ["", false];
      else if (name === "ph") isPlaceholder = true;
      else if (name === "t") inText = true;
      else if (name === "br") text += "\n";
    },
    close(name) {
      if (name === "t") inText = false;
      else if (name === "p") text += "\n";
      else if (name === "sp" && !isPlaceholder && text.trim() !== "") texts.push(text.trim());
    },
    text(value) {
      if (inText) text += value;
    },
  });
  return texts.join("\n");
}
