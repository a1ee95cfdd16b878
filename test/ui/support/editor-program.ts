/** A stand-in for an editor: takes one line from the keyboard and leaves the file as it is. */
process.stdout.write("editor is ready\n");
let typed = "";
for await (const chunk of process.stdin) {
  typed += String(chunk);
  if (typed.includes("\n")) break;
}
process.stdout.write(`editor read ${typed}`);
process.exit(0);

export {};
