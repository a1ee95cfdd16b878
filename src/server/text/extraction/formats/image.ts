import type { FormatReader } from "../extracted-document.ts";

/** A picture is one page without text; its text is recognised later. */
export const extractImage: FormatReader = async (bytes, _limits, writer) => {
  await writer.page("", async () => ({ kind: "picture", bytes }));
  await writer.progress(1, 1);
  return {};
};
