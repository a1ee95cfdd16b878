import { extractText, getDocumentProxy } from "unpdf";

/** Reads the text of the files that its arguments name, and prints the number of their pages. */
let pages = 0;
for (const path of process.argv.slice(2)) {
  const document = await getDocumentProxy(await Bun.file(path).bytes(), { verbosity: 0 });
  await extractText(document);
  pages += document.numPages;
  await document.loadingTask.destroy();
}
console.log(pages);
