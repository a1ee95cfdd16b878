// The baseline of every key: a compiled program in raw mode that answers each one with a line.
process.stdin.setRawMode(true);
process.stdin.on("data", (keys: Buffer) => {
  if (keys.includes(3)) process.exit(0);
  process.stdout.write("x\r\n");
});
process.stdout.write("ready\r\n");
