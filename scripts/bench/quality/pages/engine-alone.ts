import { englishData } from "#server/text/ocr/assets.ts";
import { startEngine } from "#server/text/ocr/engine.ts";

/** Reads the pictures that its arguments name with the engine alone; the first is its mode. */
const [mode, ...paths] = process.argv.slice(2);
const module = await startEngine();
module.FS.writeFile("eng.traineddata", await englishData());
const api = new module.TessBaseAPI();
api.Init(null, "eng", 1);
for (const path of paths) {
  module.FS.writeFile("/input", await Bun.file(path).bytes());
  api.SetPageSegMode(Number(mode));
  api.SetImageFile(1, 0);
  api.Recognize(null);
  const rows = api.GetTSVText(0).split("\n");
  const words = rows.flatMap((row) => (row.startsWith("5\t") ? [row.split("\t").at(-1)] : []));
  console.log(JSON.stringify(words.join(" ")));
  api.Clear();
}
