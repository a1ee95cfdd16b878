import { Html, html } from "./html.ts";

export const cardStyle = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f3f4f6, #111418); color: light-dark(#1b1f24, #e6e9ee); }
main { box-sizing: border-box; width: min(24rem, 100%); padding: 2rem;
  background: light-dark(#fff, #1a1f26); border-radius: 0.75rem;
  border: 1px solid light-dark(#d8dce2, #2e3640); }
h1 { margin: 0 0 0.5rem; font-size: 1.35rem; }
p { margin: 0 0 1rem; }
`;

/** A page with a heading and content; `style` must be a constant of ours. */
export function htmlPage(title: string, content: Html, style: string): Html {
  // One line: the policy's digest covers the exact text of the style element.
  const styleElement = new Html(`<style>${style}</style>`);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
}
