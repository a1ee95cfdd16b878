import type { ProjectTemplate } from "./template.ts";

export const script: ProjectTemplate = {
  name: "script",
  summary: "A script on the client library, for scheduled work",
  scripts: {
    dev: "node main.mjs",
    build: "node build.mjs",
    test: "node --test",
    start: "node main.mjs",
  },
  removesTypes: false,
  run: "svc dev --with-token",
  kindOf: (path) => (path === "build.mjs" ? "managed" : "own"),
};
