import { expect, test } from "vitest";
import { launchChromium, missingChromium } from "./chromium.ts";
import { describeNeeding } from "./needs.ts";

describeNeeding("a headless browser", missingChromium, () => {
  test("loads a page from this machine, submits its form and follows the redirect", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      routes: {
        "/": new Response(
          "<form method=post action=/in><input name=who><button>Go</button></form>",
          {
            headers: { "content-type": "text/html" },
          },
        ),
        "/in": {
          async POST(request) {
            const { who = "" } = Object.fromEntries(new URLSearchParams(await request.text()));
            return Response.redirect(`/done?who=${who}`, 303);
          },
        },
        "/done": (request) =>
          new Response(`hello ${new URL(request.url).searchParams.get("who") ?? ""}`),
      },
    });
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(server.url.href);
      await page.fill("input[name=who]", "m.okafor");
      await page.click("button");
      await page.waitForURL("**/done?who=m.okafor");
      expect(await page.textContent("body")).toBe("hello m.okafor");
    } finally {
      await browser.close();
    }
  });
});
