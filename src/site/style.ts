/** The style of every page, in both colour schemes. */
export const siteStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #0f1318);
  --raised: light-dark(#f6f8fa, #171d24);
  --line: light-dark(#d5dbe1, #2d3742);
  --ink: light-dark(#1b2129, #e4e9ef);
  --soft: light-dark(#525d6a, #a3aebb);
  --accent: light-dark(#0b5c6b, #5fc9dc);
  --accent-ground: light-dark(#e3f3f6, #12303a);
  --read: light-dark(#0a5c36, #7bdca6); --read-ground: light-dark(#e2f5ea, #12301f);
  --add: light-dark(#0b4f8a, #8cc4ff); --add-ground: light-dark(#e3effb, #122a42);
  --edit: light-dark(#7a4400, #f2bd6d); --edit-ground: light-dark(#fdf0dc, #35270f);
  --drop: light-dark(#9c1c1c, #ff9d94); --drop-ground: light-dark(#fce8e6, #3b1a18);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.2rem; }
main:focus { outline: none; }
code, pre, kbd, textarea { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  font-size: 0.875em; }
:not(pre) > code { background: var(--raised); border: 1px solid var(--line); border-radius: 0.3rem;
  padding: 0.05em 0.35em; overflow-wrap: anywhere; }
a > code { color: inherit; }
pre code { font-size: inherit; }
tbody th code { overflow-wrap: normal; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 0.6rem;
  padding: 0.9rem 1rem; overflow-x: auto; line-height: 1.5; }
kbd { display: inline-block; border: 1px solid var(--line); border-bottom-width: 2px;
  border-radius: 0.3rem; background: var(--raised); padding: 0 0.4em; white-space: nowrap; }
.skip { position: absolute; left: -99rem; top: 0; z-index: 9; background: var(--ground);
  padding: 0.7rem 1rem; }
.skip:focus { left: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.top { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 0.75rem;
  padding: 0.6rem clamp(1rem, 3vw, 2rem); background: var(--ground);
  border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; font-size: 1.1rem; color: var(--ink); text-decoration: none; }
.brand span { color: var(--accent); }
.version { color: var(--soft); font-size: 0.85rem; }
.search { position: relative; margin-left: auto; width: min(34rem, 62vw); }
.search[hidden] { display: none; }
.search label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.search > kbd { position: absolute; right: 0.6rem; top: 0.5rem; }
.search input:focus + kbd { display: none; }
input, textarea { width: 100%; font: inherit; color: inherit; background: var(--raised);
  border: 1px solid light-dark(#7c8894, #6a7682); border-radius: 0.5rem; padding: 0.45rem 0.75rem; }
textarea { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.875rem; }
.found { position: absolute; right: 0; left: 0; top: calc(100% + 0.4rem); max-height: 70vh;
  overflow-y: auto; background: var(--ground); border: 1px solid var(--line);
  border-radius: 0.6rem; box-shadow: 0 0.6rem 2rem rgb(0 0 0 / 0.25); padding: 0.4rem; }
.found p { margin: 0.2rem 0.6rem; color: var(--soft); font-size: 0.85rem; }
.found ul { list-style: none; margin: 0; padding: 0; }
.found a { display: block; padding: 0.4rem 0.6rem; border-radius: 0.4rem; text-decoration: none;
  color: var(--ink); overflow-wrap: anywhere; }
.found a:hover, .found a:focus { background: var(--accent-ground); }
.found strong { display: block; font-weight: 600; }
.found span { display: block; color: var(--soft); font-size: 0.85rem; line-height: 1.4; }
.found small { color: var(--accent); font-size: 0.75rem; }
.found mark { color: inherit; background: light-dark(#fdeec2, #4a3b0c); border-radius: 0.15rem; }
.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 13rem; gap: 2.5rem;
  max-width: 90rem; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem); }
.side, .outline { position: sticky; top: 3.6rem; align-self: start; max-height: calc(100vh - 3.6rem);
  overflow-y: auto; padding: 1.25rem 0; font-size: 0.9rem; }
.side summary { display: none; }
.side h2, .outline h2 { margin: 1.1rem 0 0.3rem; font-size: 0.75rem; letter-spacing: 0.06em;
  text-transform: uppercase; color: var(--soft); border: 0; padding: 0; }
.side h2:first-of-type, .outline h2 { margin-top: 0; }
.side ul, .outline ul { list-style: none; margin: 0; padding: 0; }
.side a, .outline a { display: block; padding: 0.22rem 0.6rem; border-radius: 0.35rem;
  text-decoration: none; color: var(--ink); overflow-wrap: anywhere; }
.outline a { color: var(--soft); padding-left: 0; }
.side a:hover, .outline a:hover { color: var(--accent); }
.side a[aria-current] { background: var(--accent-ground); color: var(--accent); font-weight: 600; }
main { padding: 1.5rem 0 5rem; min-width: 0; }
.kind { margin: 0; color: var(--accent); font-weight: 600; font-size: 0.85rem; }
h1 { margin: 0.1rem 0 0.4rem; font-size: clamp(1.7rem, 4vw, 2.25rem); line-height: 1.2;
  letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.6rem; font-size: 1.35rem; line-height: 1.3; letter-spacing: -0.01em; }
h3 { margin: 1.5rem 0 0.4rem; font-size: 1rem; }
p { margin: 0.6rem 0; max-width: 46rem; }
.lead { font-size: 1.1rem; color: var(--soft); margin-bottom: 1.5rem; }
.operation { border-top: 1px solid var(--line); margin-top: 2.5rem; }
.operation h2 { margin-top: 1.75rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; margin: 0.6rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.8rem;
  border-top: 1px solid var(--line); overflow-wrap: break-word; min-width: 6rem; }
thead th { border-top: 0; background: var(--raised); color: var(--soft); font-size: 0.8rem; }
tbody th { font-weight: 400; }
.needed { color: var(--drop); font-size: 0.8rem; white-space: nowrap; }
.limits { color: var(--soft); font-size: 0.85rem; }
.method, .status { display: inline-block; border-radius: 0.35rem; padding: 0.05rem 0.45rem;
  font: 700 0.75rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.get, .s2, .s3 { color: var(--read); background: var(--read-ground); }
.post { color: var(--add); background: var(--add-ground); }
.put, .patch, .s4 { color: var(--edit); background: var(--edit-ground); }
.delete, .s5 { color: var(--drop); background: var(--drop-ground); }
.cards { display: grid; gap: 0.9rem; padding: 0; margin: 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); }
.cards a { display: block; height: 100%; padding: 1rem 1.1rem; border: 1px solid var(--line);
  border-radius: 0.75rem; background: var(--raised); text-decoration: none; color: var(--ink); }
.cards a:hover { border-color: var(--accent); }
.cards strong { display: block; color: var(--accent); font-size: 1.05rem; }
.cards span { color: var(--soft); font-size: 0.92rem; }
.routes code { margin-right: 0.35rem; }
.try { border: 1px solid var(--line); border-radius: 0.6rem; margin: 0.8rem 0; }
.try > summary { cursor: pointer; padding: 0.6rem 1rem; font-weight: 600; color: var(--accent); }
.try form { padding: 0 1rem 1rem; }
.field { margin: 0 0 0.7rem; }
.field label, .sign-in label { display: block; font-weight: 600; font-size: 0.9rem; }
button { font: inherit; font-weight: 600; cursor: pointer; border: 0; border-radius: 0.5rem;
  padding: 0.5rem 1rem; background: var(--accent); color: var(--ground); }
.answer { margin: 0.6rem 0; font-weight: 600; }
.output { max-height: 28rem; overflow: auto; }
.sign-in { display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
  border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.9rem 1rem; margin: 1rem 0; }
@media (max-width: 75rem) {
  .frame { grid-template-columns: 14rem minmax(0, 1fr); }
  .outline { display: none; }
}
@media (max-width: 50rem) {
  .frame { display: block; }
  .side { position: static; max-height: none; padding: 0.75rem 0 0; }
  .side summary { display: list-item; cursor: pointer; font-weight: 600; padding: 0.4rem 0; }
  .side details[open] { border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; }
  .version { display: none; }
  .found { position: fixed; top: 3.6rem; left: 0.5rem; right: 0.5rem; max-height: 80vh; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .top, .side, .outline, .try { display: none; } .frame { display: block; } }
`;
