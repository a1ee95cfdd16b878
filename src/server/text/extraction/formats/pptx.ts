import type { FormatReader } from "../extracted-document.ts";
import { drawingText, textsNextTo } from "./drawing.ts";
import { writePictures } from "./embedded-pictures.ts";
import { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";

/**
 * Reads a PPTX: one page per slide in the order of the show, with its tables (one line per row,
 * tabs between cells), charts, SmartArt, comments and the speaker's notes. Hidden slides are read
 * too.
 */
export const extractPptx: FormatReader = async (bytes, limits, writer) => {
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
    const texts = [
      drawingText(file, file.part(slide)),
      ...textsNextTo(file, slide),
      part === null ? "" : drawingText(file, part),
    ];
    await writer.page(texts.filter((text) => text !== "").join("\n\n"));
    await writer.progress(index + 1, slides.length);
  }
  await writePictures(writer, file.pictures("ppt/media"));
  return file.metadata();
};
