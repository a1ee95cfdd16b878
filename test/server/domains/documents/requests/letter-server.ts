export const letter = "Objection\n\nI object to this plan. The wall is 2.4 metres high.\n";

/** A server of the letter, and of a PDF that cannot be read; its caller stops it. */
export function startLetterServer(): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      new URL(url).pathname === "/broken.pdf"
        ? new Response("%PDF-1.7 broken")
        : new Response(letter, { headers: { "content-type": "text/plain" } }),
  });
}
