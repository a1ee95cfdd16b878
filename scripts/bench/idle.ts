// The baseline of memory: a compiled program that waits.
setInterval(() => {}, 60_000);
