import { grayPng } from "#server/text/ocr/model-picture.ts";

const [width, height] = [400, 600];

/** A page whose upper half is dark, as the platform draws it. */
async function drawnPage(wide: number): Promise<Uint8Array<ArrayBuffer>> {
  const dots = new Uint8Array(width * height).fill(255).fill(0, 0, (width * height) / 2);
  const png = grayPng(dots, { width, height, step: 1 });
  const image = new Bun.Image(png).resize(wide, 4_000, { fit: "inside", withoutEnlargement: true });
  return new Uint8Array(await image.png({ palette: true, colors: 16 }).bytes());
}

/** The picture of pages 1 and 2; the third one has only text. */
export async function pictureAnswer(path: string, query: URLSearchParams): Promise<Response> {
  if (path.includes("/pages/3/")) {
    const detail = "Page 3 of DOC-2026-000042 has text, lines or areas, which are not drawn.";
    const body = { status: 422, code: "no-page-picture", title: "The page has no picture", detail };
    return Response.json(body, { status: 422 });
  }
  const bytes = await drawnPage(Number(query.get("width")));
  return new Response(bytes, { headers: { "content-type": "image/png" } });
}
