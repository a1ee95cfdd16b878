// `node --import ./tools/test-loader.mjs --test`: tests can import the TypeScript of the pages.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);
