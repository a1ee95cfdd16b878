import { key, keyGroup } from "../kit/keys/keys.ts";
import type { ShellKeys } from "../shell/keys.ts";

export const signInKeys = keyGroup({
  takeFirstWay: key("enter", "place", "take the first way", { footer: 9 }),
  signInBrowser: key("b", "place", "sign in by browser", { footer: 10 }),
  signInDevice: key("d", "place", "sign in with a code", { footer: 11 }),
  startLocal: key("l", "place", "use a platform on this machine", { footer: 12 }),
  choosePlatform: key("p", "place", "another platform", { footer: 13 }),
});

export type SignInKeys = typeof signInKeys & ShellKeys;
