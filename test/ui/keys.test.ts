import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyTable as entries } from "#ui/nouns.tsx";
import { keyName, keyWords, scopes, type Scope } from "#ui/kit/keys/keys.ts";
import {
  bindingFor as bindingAmong,
  bindingsOf as bindingsAmong,
  factsOf,
  hearingLayers,
  KeyTable,
  type AnyHandlers,
  type KeyLayer,
} from "#ui/kit/keys/key-bindings.ts";
import { alertKeys } from "#ui/alerts/keys.ts";
import { archiveKeys } from "#ui/archives/keys.ts";
import { appKeys } from "#ui/apps/keys.ts";
import { geoKeys } from "#ui/geo/keys.ts";
import type { JobFacts } from "#ui/jobs/keys.ts";
import type { KeyFacts } from "#ui/kit/keys/reasons.ts";
import { memberKeys } from "#ui/members/keys.ts";
import { signInKeys } from "#ui/sign-in/keys.ts";
import { webhookKeys } from "#ui/webhooks/keys.ts";
import { shellKeys, type ShellFacts } from "#ui/shell/keys.ts";
import { repository } from "../architecture/source.ts";

const table = new KeyTable(entries);
const bindingsOf = (layers: readonly KeyLayer[]) => bindingsAmong(table, layers);
const bindingFor = (layers: readonly KeyLayer[], name: string) =>
  bindingAmong(table, { hearing: hearingLayers(layers), all: layers }, name);

function layer(scope: Scope, handlers: AnyHandlers, part: Partial<KeyLayer> = {}): KeyLayer {
  return { scope, handlers, facts: {}, ...part };
}

function does(layers: readonly KeyLayer[], key: string): string | undefined {
  const listed = bindingsOf(layers).find((binding) => binding.entry.keys.includes(key));
  const pressed = bindingFor(layers, key);
  // Footer and help show the effect of the press.
  expect(pressed?.entry.intent).toBe(listed?.entry.intent);
  return pressed?.entry.intent;
}

const nothing = () => {};

describe("the key table", () => {
  it("gives every entry keys, a scope and words", () => {
    for (const entry of entries) {
      expect(entry.keys.length, entry.intent).toBeGreaterThan(0);
      expect(entry.where.length, entry.intent).toBeGreaterThan(0);
      expect(entry.words, entry.intent).toMatch(/^[a-z]/);
    }
  });

  it("has the keys of every noun", async () => {
    const collected = await Bun.file(join(repository, "ui/nouns.tsx")).text();
    const nouns = await Array.fromAsync(new Bun.Glob("ui/*/keys.ts").scan({ cwd: repository }));
    expect(nouns.length).toBeGreaterThan(8);
    for (const path of nouns) expect(collected).toContain(`from "./${path.slice("ui/".length)}"`);
  });

  it("gives a key one meaning in a place, except on separate screens", () => {
    // Sign-in, Object Types, bars, members, API keys, apps, workflows, webhooks, alerts, geo,
    // reviews, the workspaces, the chat and the trash are screens by themselves: no other use of
    // these keys is shown.
    const nouns = {
      ...memberKeys,
      ...appKeys,
      ...webhookKeys,
      ...alertKeys,
      ...geoKeys,
      ...archiveKeys,
    };
    const apart: readonly string[] = [
      ...Object.keys({ ...nouns, ...signInKeys }),
      "showArchives",
      "createWorkspace",
      "createFirst",
      "deleteWorkspace",
      "restoreWorkspace",
      "acceptReview",
      "correctReview",
      "find",
      "outline",
      "picture",
      "groupBy",
      "partBy",
      "createType",
      "erase",
      "write",
      "context",
      "exportConversation",
    ];
    const placed = entries.filter(
      (entry) => entry.where.includes("place") && !apart.includes(entry.intent),
    );
    const keys = placed.flatMap((entry) => entry.keys);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it("is what docs/dashboard.md says", async () => {
    const page = await Bun.file(join(repository, "docs/dashboard.md")).text();
    const [, below = ""] = page.split("| key | what it does |");
    const [table = ""] = below.split("\n\n", 1);
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(15);
    for (const [, key = "", words] of rows) {
      const meant = entries.filter((entry) => entry.keys.includes(key)).map((entry) => entry.words);
      expect(meant, key).toContain(words);
    }
  });

  it("uses no function key: terminals do not send them", () => {
    for (const entry of entries) {
      for (const key of entry.keys) expect(key).not.toMatch(/^f\d+$/i);
    }
  });

  it("takes no printable key where text is typed", () => {
    const typing: readonly Scope[] = ["input", "chat", "form", "picker"];
    for (const entry of entries) {
      if (!entry.where.some((scope) => typing.includes(scope))) continue;
      for (const key of entry.keys) expect(key.length, `${entry.intent} ${key}`).toBeGreaterThan(1);
    }
  });

  it("removes nothing on a single letter", () => {
    const removing = entries.filter((entry) => entry.intent === "delete");
    expect(removing.flatMap((entry) => entry.keys)).toEqual(["ctrl+d"]);
  });

  it("writes keys for a reader", () => {
    expect(["enter", "escape", "ctrl+d", "shift+tab", "j"].map(keyWords)).toEqual([
      "↵",
      "esc",
      "^d",
      "⇧tab",
      "j",
    ]);
    expect(keyName(shellKeys.upload)).toBe("u");
  });
});

describe("the layer that gets a key", () => {
  it("is the deepest that handles it", () => {
    const layers = [
      layer("global", { quit: nothing }),
      layer("place", { goBack: nothing }),
      layer("pane", { open: nothing, goBack: nothing }),
    ];
    expect(does(layers, "enter")).toBe("open");
    expect(bindingsOf(layers).find((each) => each.entry.keys.includes("escape"))?.scope).toBe(
      "pane",
    );
    expect(does(layers, "q")).toBe("quit");
  });

  it("is none below a dialog, but Ctrl-C always works", () => {
    const layers = [
      layer("always", { quit: nothing }),
      layer("global", { quit: nothing }),
      layer("place", { delete: nothing }),
      layer("dialog", { confirm: nothing }),
    ];
    expect(does(layers, "y")).toBe("confirm");
    expect(does(layers, "ctrl+d")).toBeUndefined();
    expect(does(layers, "q")).toBeUndefined();
    expect(does(layers, "ctrl+c")).toBe("quit");
    expect(hearingLayers(layers).map((each) => each.scope)).toEqual(["always", "dialog"]);
  });

  it("offers only keys that a layer handles", () => {
    expect(bindingsOf([layer("place", {})])).toEqual([]);
  });

  it("gives one key to one handler only", () => {
    const layers = [layer("chat", { send: nothing, leave: nothing, stop: undefined })];
    const keys = bindingsOf(layers).flatMap((binding) => binding.entry.keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(does(layers, "escape")).toBe("leave");
  });

  it("runs the latest handler, not the one at the time of listing", () => {
    const said: string[] = [];
    let handlers: AnyHandlers = { open: () => said.push("before") };
    const live: KeyLayer = {
      scope: "pane",
      facts: {},
      get handlers() {
        return handlers;
      },
    };
    const [binding] = bindingsOf([live]);
    handlers = { open: () => said.push("after") };
    binding?.run(1);
    expect(said).toEqual(["after"]);
  });
});

/** The words of keys that change something on the platform. */
const changes =
  /^(?:accept|acknowledge|cancel job|change|correct|create|delete|disable|do an|edit|enroll|erase for|fill|import|invite|mail|make an?|mute|new workspace|provision|purge|remove|replace|request|reset|restore|retry|revoke|rotate|schedule|send|undo|upload|write)\b/;

describe("the reason of a disabled key", () => {
  it("is the read-only profile for each key that changes something", () => {
    const isOfForm = ({ where }: { readonly where: readonly Scope[] }) =>
      where.every((scope) => scope === "locked" || scope === "conflict");
    const changing = entries.filter((entry) => changes.test(entry.words) && !isOfForm(entry));
    expect(changing.length).toBeGreaterThan(60);
    const facts = { role: "system-admin", readOnly: "the profile is read-only" };
    const open = changing.filter(
      ({ disabledReason }) => disabledReason?.of(facts) !== facts.readOnly,
    );
    expect(open.map(({ intent, words }) => `${intent}: ${words}`)).toEqual([]);
  });

  it.each([
    ["upload", "tenant-viewer", {}, "needs the role tenant-staff; yours is tenant-viewer"],
    ["upload", "tenant-admin", {}, undefined],
    ["upload", undefined, {}, undefined],
    ["delete", "tenant-admin", { rows: 0 }, "nothing is selected"],
    [
      "editInEditor",
      "tenant-staff",
      { rows: 1, hasEditor: false },
      "set VISUAL or EDITOR to your editor first",
    ],
    ["retry", "tenant-staff", { jobStatus: "running" }, "a job that is running can't be retried"],
    ["retry", "tenant-staff", { jobStatus: "failed" }, undefined],
    [
      "cancelJob",
      "tenant-staff",
      { jobStatus: "succeeded" },
      "a job that is succeeded can't be cancelled",
    ],
    ["readText", "tenant-viewer", { hasText: false }, "no text has been extracted from it"],
  ] as const)("%s as %s", (intent, role, facts: KeyFacts & JobFacts & ShellFacts, reason) => {
    const layers = [
      layer("global", {}, { facts: { role } }),
      layer("place", { [intent]: nothing }, { facts }),
    ];
    expect(bindingsOf(layers)[0]?.reason).toBe(reason);
  });

  it("comes from the facts of all layers, deeper ones first", () => {
    const jobFacts: JobFacts = { rows: 0, jobStatus: "failed" };
    const facts = factsOf([
      layer("pane", {}, { facts: { rows: 3 } }),
      layer("place", {}, { facts: jobFacts }),
      layer("global", {}, { facts: { role: "tenant-staff" } }),
    ]);
    expect(facts).toEqual({ rows: 3, jobStatus: "failed", role: "tenant-staff" });
  });

  it("knows every scope that the table names", () => {
    for (const entry of entries) {
      for (const scope of entry.where) expect(Object.keys(scopes)).toContain(scope);
    }
  });
});
