import { basename } from "node:path";
import type { ProcessingMode } from "#client/index.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { fileSize } from "../../kit/files/files.ts";
import type { Notices } from "../../shell/notices.ts";
import type { Overlays } from "../../shell/overlays/overlays.ts";
import type { Platform } from "../../shell/platform/use-platform.ts";
import type { Router } from "../../shell/router.ts";
import {
  findContexts,
  workflowContext,
  workflowKind,
  type UploadContext,
} from "./upload-context.ts";

/** The parts of the dashboard that uploads need. */
export interface UploadHost {
  readonly platform: Platform;
  readonly notices: Notices;
  readonly overlays: Overlays;
  readonly router: Router;
}

const modes: readonly { readonly mode: ProcessingMode; readonly words: string }[] = [
  { mode: "full", words: "full: read, classify, extract and make it answerable in chat" },
  { mode: "classification", words: "classification: read and classify it" },
  { mode: "rag", words: "rag: read it and make it answerable in chat" },
  { mode: "store_only", words: "store_only: keep it as it is" },
];

/** The context and the mode of an upload. */
interface UploadChoice {
  readonly context: UploadContext;
  readonly mode: ProcessingMode;
}

const usualMode: ProcessingMode = "full";

/**
 * Asks for the file of an upload, then calls `send`: with the context and mode of the one before
 * in this workspace, or with what is usual. It asks for these where nothing is usual, or on a key.
 */
export class UploadQuestions {
  readonly #host: UploadHost;
  readonly #send: (path: string, context: UploadContext, mode: ProcessingMode) => void;
  /** The last choice in each workspace. */
  readonly #last = new Map<string, UploadChoice>();

  constructor(
    host: UploadHost,
    send: (path: string, context: UploadContext, mode: ProcessingMode) => void,
  ) {
    this.#host = host;
    this.#send = (path, context, mode) => {
      const { tenantId = "" } = host.platform.state.get();
      this.#last.set(tenantId, { context, mode });
      send(path, context, mode);
    };
  }

  start(): void {
    const usual = this.#usual();
    this.#pickFile({
      usual,
      onPick: (path) => {
        if (usual === undefined) this.#chooseContext(path, "usual");
        else this.#send(path, usual.context, usual.mode);
      },
      onOptions: (path) => this.#chooseContext(path, "asked"),
    });
  }

  startWith(context: UploadContext): void {
    const mode = this.#usual()?.mode ?? usualMode;
    this.#pickFile({
      usual: { context, mode },
      onPick: (path) => this.#send(path, context, mode),
      onOptions: (path) => this.#chooseMode(path, context),
    });
  }

  #usual(): UploadChoice | undefined {
    const { tenantId = "", session } = this.#host.platform.state.get();
    const { appKey, workflowKey } = session;
    const last = this.#last.get(tenantId);
    if (last !== undefined || appKey === undefined || workflowKey === undefined) return last;
    return { context: workflowContext({ appKey, workflowKey }), mode: usualMode };
  }

  #pickFile(options: {
    readonly usual: UploadChoice | undefined;
    readonly onPick: (path: string) => void;
    readonly onOptions: (path: string) => void;
  }): void {
    const { usual, onPick, onOptions } = options;
    const { overlays, notices } = this.#host;
    const checked = (next: (path: string) => void) => (path: string) => {
      const check = async () => {
        if ((await fileSize(path)) !== undefined) next(path);
        else notices.say("failed", `There is no file ${path}`);
      };
      void check();
    };
    overlays.show({
      kind: "file",
      title: "Upload a file",
      note: usual === undefined ? undefined : `to ${usual.context.words} · ${usual.mode}`,
      onPick: checked(onPick),
      onOptions: checked(onOptions),
    });
  }

  /** Takes the only workflow that there is, unless the user has asked for the choice. */
  #chooseContext(path: string, reason: "usual" | "asked"): void {
    const { overlays, platform } = this.#host;
    const { client, tenantId, session } = platform.state.get();
    if (client === undefined || tenantId === undefined) return;
    const { appKey, workflowKey } = session;
    const pair =
      appKey !== undefined && workflowKey !== undefined ? { appKey, workflowKey } : undefined;
    overlays.wait({
      title: `Choose a context for ${basename(path)}`,
      words: "loading workflows and records",
      ask: async (signal) => {
        const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
        const query = { tenantId, types: objectTypes, pair, signal };
        const contexts = await findContexts(client, query);
        const workflows = contexts.filter(({ kind }) => kind === workflowKind);
        const [only] = workflows;
        return reason === "usual" && only !== undefined && workflows.length === 1
          ? () => this.#send(path, only, usualMode)
          : () => this.#offerContexts(path, contexts);
      },
    });
  }

  #offerContexts(path: string, contexts: readonly UploadContext[]): void {
    const choices = contexts.map((context): Choice => ({
      id: context.id,
      words: context.words,
      note: context.kind,
      choose: () => this.#chooseMode(path, context),
    }));
    const other: Choice = {
      id: "keys",
      words: "another app and workflow …",
      choose: () => this.#askForPair(path),
    };
    this.#host.overlays.choose({
      title: `Choose a context for ${basename(path)}`,
      placeholder: "a workflow or a record",
      choices: [...choices, other],
    });
  }

  #askForPair(path: string): void {
    const { overlays, platform } = this.#host;
    const { appKey, workflowKey } = platform.state.get().session;
    overlays.ask({
      title: "App and workflow",
      words: "The keys of an app and of its workflow, separated by a space.",
      initial: [appKey, workflowKey].filter((key) => key !== undefined).join(" "),
      placeholder: "app-key workflow-key",
      problemOf: (text) =>
        text.split(/\s+/).length === 2 ? undefined : "two keys are required: app and workflow",
      onAnswer: (text) => {
        const [app = "", workflow = ""] = text.split(/\s+/);
        this.#chooseMode(path, workflowContext({ appKey: app, workflowKey: workflow }));
      },
    });
  }

  #chooseMode(path: string, context: UploadContext): void {
    this.#host.overlays.choose({
      title: `Choose how to process ${basename(path)}`,
      placeholder: "a processing mode",
      choices: modes.map(({ mode, words }) => ({
        id: mode,
        words,
        choose: () => this.#send(path, context, mode),
      })),
    });
  }
}
