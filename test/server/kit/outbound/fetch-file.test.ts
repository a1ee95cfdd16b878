import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fetchFile, type FetchFileOptions } from "#server/kit/outbound/fetch-file.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

describe("a file at a URL", () => {
  const seen: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      seen.push(`${request.headers.get("host")} ${pathname}`);
      if (pathname === "/to") return Response.redirect(searchParams.get("url") ?? "", 302);
      if (pathname === "/loop") return Response.redirect(request.url, 302);
      if (pathname === "/large") return new Response(new Uint8Array(2048));
      if (pathname === "/endless") {
        return new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new Uint8Array(512));
              await Bun.sleep(1);
            },
          }),
        );
      }
      if (pathname === "/silent") return new Promise<Response>(() => {});
      if (pathname === "/gone") return new Response("", { status: 404 });
      return new Response("The wall is high.", { headers: { "content-type": "text/plain" } });
    },
  });
  afterAll(() => server.stop(true));
  const host = `files.example:${server.port}`;

  async function fetched(url: string, options: Partial<FetchFileOptions> = {}) {
    const path = join(await temporaryDirectory("fetched"), "file");
    const result = await fetchFile(url, path, {
      allowedHosts: new Set([host]),
      signal: new AbortController().signal,
      limitBytes: 1024,
      timeoutMs: 5_000,
      redirects: 3,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      ...options,
    });
    return { ...result, text: await Bun.file(path).text() };
  }

  test("comes with its digest from an allowed host", async () => {
    expect(await fetched(`http://${host}/wall.txt`)).toMatchObject({
      text: "The wall is high.",
      size: 17,
      contentType: "text/plain",
      sha256: new Bun.CryptoHasher("sha256").update("The wall is high.").digest("hex"),
    });
  });

  test("a name that resolves to a closed address is refused when it connects", async () => {
    seen.length = 0;
    const closed = "names a host whose address is not public";
    for (const address of ["127.0.0.1", "169.254.169.254", "::1"]) {
      const resolve = async () => [
        { address: "93.184.215.14", family: 4 },
        { address, family: address.includes(":") ? 6 : 4 },
      ];
      const allowedHosts = new Set<string>();
      const call = fetched(`http://rebinding.example:${server.port}/`, { resolve, allowedHosts });
      await expect(call).rejects.toThrow(closed);
    }
    for (const literal of ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "[::ffff:7f00:1]"]) {
      await expect(fetched(`http://${literal}:${server.port}/`)).rejects.toThrow(closed);
    }
    expect(seen).toEqual([]);
  });

  test("each redirect is checked again, and there are at most three", async () => {
    const to = (url: string) => `http://${host}/to?url=${encodeURIComponent(url)}`;
    expect(await fetched(to(`http://${host}/wall.txt`))).toMatchObject({ size: 17 });
    await expect(fetched(to(`http://127.0.0.1:${server.port}/`))).rejects.toThrow("not public");
    await expect(fetched(to(`http://other.example:${server.port}/`))).rejects.toThrow("not public");
    await expect(fetched(to("file:///etc/passwd"))).rejects.toThrow("http or https");
    await expect(fetched(`http://${host}/loop`)).rejects.toThrow("more than 3 times");
  });

  test("sizes, times, statuses and odd URLs have limits", async () => {
    await expect(fetched(`http://${host}/large`)).rejects.toThrow("has more than");
    await expect(fetched(`http://${host}/endless`)).rejects.toThrow("has more than");
    const slow = fetched(`http://${host}/silent`, { timeoutMs: 300 });
    await expect(slow).rejects.toThrow("did not answer within 0.3 seconds");
    await expect(fetched(`http://${host}/gone`)).rejects.toThrow("the status 404");
    await expect(fetched(`http://user:secret@${host}/`)).rejects.toThrow("no user name");
    await expect(fetched("ftp://files.example/")).rejects.toThrow("http or https");
    const stopped = fetched(`http://${host}/`, { signal: AbortSignal.abort(new Error("left")) });
    await expect(stopped).rejects.toThrow("left");
  });
});
