import { expect, test } from "vitest";
import { html, noHtml } from "#lib/text/html.ts";

test("values are escaped unless they are markup", () => {
  const attack = `"><script>alert('x')</script>&`;
  expect(html`<a title="${attack}">${html`<b>${"yes"}</b>`}${noHtml}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;"><b>yes</b></a>',
  );
});
