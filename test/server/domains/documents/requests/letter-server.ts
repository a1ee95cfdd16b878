export const letter = "Objection\n\nI object to this plan. The wall is 2.4 metres high.\n";

/**
 * A server of the letter, of a PDF that cannot be read, and of a file without an end, for which it
 * calls `onEndless`; its caller stops it.
 */
export function startLetterServer(onEndless: () => void = () => {}): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === "/broken.pdf") return new Response("%PDF-1.7 broken");
      if (pathname !== "/endless.txt") {
        return new Response(letter, { headers: { "content-type": "text/plain" } });
      }
      onEndless();
      return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    },
  });
}
