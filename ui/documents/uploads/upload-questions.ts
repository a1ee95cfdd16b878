import { basename, sep } from "node:path";
import type { ProcessingMode } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { fileSize, filesBelow } from "../../kit/files/files.ts";
import { countWords, sizeWords } from "../../kit/text/words.ts";
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
const shownFiles = 5;
/** Files of a folder that are sent at most. */
const mostFiles = 1_000;

/** The files that were picked, with the name of the file or folder. */
interface Picked {
  readonly name: string;
  readonly paths: readonly string[];
}
type Send = (paths: readonly string[], context: UploadContext, mode: ProcessingMode) => void;

/**
 * Asks for the file of an upload, then calls `send`: with the context and mode of the one before
 * in this workspace, or with what is usual. It asks for these where nothing is usual, or on a key.
 */
export class UploadQuestions {
  readonly #host: UploadHost;
  readonly #send: (picked: Picked, context: UploadContext, mode: ProcessingMode) => void;
  /** The last choice in each workspace. */
  readonly #last = new Map<string, UploadChoice>();

  constructor(host: UploadHost, send: Send) {
    this.#host = host;
    this.#send = ({ paths }, context, mode) => {
      const { tenantId = "" } = host.platform.state.get();
      this.#last.set(tenantId, { context, mode });
      send(paths, context, mode);
    };
  }

  start(): void {
    const usual = this.#usual();
    this.#pickFile({
      usual,
      onPick: (picked) => {
        if (usual === undefined) this.#chooseContext(picked, "usual");
        else this.#send(picked, usual.context, usual.mode);
      },
      onOptions: (picked) => this.#chooseContext(picked, "asked"),
    });
  }

  startWith(context: UploadContext): void {
    const mode = this.#usual()?.mode ?? usualMode;
    this.#pickFile({
      usual: { context, mode },
      onPick: (picked) => this.#send(picked, context, mode),
      onOptions: (picked) => this.#chooseMode(picked, context),
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
    readonly onPick: (picked: Picked) => void;
    readonly onOptions: (picked: Picked) => void;
  }): void {
    const { usual, onPick, onOptions } = options;
    const { overlays, notices } = this.#host;
    const checked = (next: (picked: Picked) => void) => (path: string) => {
      const check = async () => {
        if ((await fileSize(path)) === undefined) notices.say("failed", `There is no file ${path}`);
        else next({ name: basename(path), paths: [path] });
      };
      void check();
    };
    overlays.show({
      kind: "file",
      title: "Upload a file",
      onFolder: (path) => void this.#pickFolder(path, onPick).catch(notices.sayFailure),
      note: usual === undefined ? undefined : `to ${usual.context.words} · ${usual.mode}`,
      onPick: checked(onPick),
      onOptions: checked(onOptions),
    });
  }

  /** Asks before all files of a folder are sent. */
  async #pickFolder(path: string, onPick: (picked: Picked) => void): Promise<void> {
    const { overlays, notices } = this.#host;
    const { files, bytes, cut } = await filesBelow(path, mostFiles);
    const name = `${basename(path)}${sep}`;
    if (files.length === 0) return notices.say("note", `${name} has no files to send`);
    const paths = files.map((file) => file.path);
    const shown = files
      .slice(0, shownFiles)
      .map((file) => `${basename(file.path)}, ${sizeWords(file.size)}`);
    const rest = files.length - shown.length;
    overlays.confirm({
      title: `Upload ${counted(files.length, "file")} of ${name}`,
      effects: [
        ...shown,
        ...(rest > 0 ? [`and ${countWords(rest)} more, ${sizeWords(bytes)} in all`] : []),
        ...(cut ? [`the folder has more: the first ${countWords(mostFiles)} are sent`] : []),
        "names that begin with a dot and links are left out",
      ],
      onConfirm: () => onPick({ name, paths }),
    });
  }

  /** Takes the only workflow that there is, unless the user has asked for the choice. */
  #chooseContext(picked: Picked, reason: "usual" | "asked"): void {
    const { overlays, platform } = this.#host;
    const { client, tenantId, session } = platform.state.get();
    if (client === undefined || tenantId === undefined) return;
    const { appKey, workflowKey } = session;
    const pair =
      appKey !== undefined && workflowKey !== undefined ? { appKey, workflowKey } : undefined;
    overlays.wait({
      title: `Choose a context for ${picked.name}`,
      words: "loading workflows and records",
      ask: async (signal) => {
        const { objectTypes } = await client.objectTypes.schema({ tenantId, signal });
        const query = { tenantId, types: objectTypes, pair, signal };
        const contexts = await findContexts(client, query);
        const workflows = contexts.filter(({ kind }) => kind === workflowKind);
        const [only] = workflows;
        return reason === "usual" && only !== undefined && workflows.length === 1
          ? () => this.#send(picked, only, usualMode)
          : () => this.#offerContexts(picked, contexts);
      },
    });
  }

  #offerContexts(picked: Picked, contexts: readonly UploadContext[]): void {
    const current = this.#usual()?.context.id;
    const choices = contexts.map((context): Choice => ({
      id: context.id,
      words: context.words,
      note: context.kind,
      isCurrent: context.id === current,
      choose: () => this.#chooseMode(picked, context),
    }));
    const other: Choice = {
      id: "keys",
      words: "another app and workflow …",
      choose: () => this.#askForPair(picked),
    };
    this.#host.overlays.choose({
      title: `Choose a context for ${picked.name}`,
      placeholder: "a workflow or a record",
      choices: [...choices, other],
    });
  }

  #askForPair(picked: Picked): void {
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
        this.#chooseMode(picked, workflowContext({ appKey: app, workflowKey: workflow }));
      },
    });
  }

  #chooseMode(picked: Picked, context: UploadContext): void {
    const current = this.#usual()?.mode ?? usualMode;
    this.#host.overlays.choose({
      title: `Choose how to process ${picked.name}`,
      placeholder: "a processing mode",
      choices: modes.map(({ mode, words }) => ({
        id: mode,
        words,
        isCurrent: mode === current,
        choose: () => this.#send(picked, context, mode),
      })),
    });
  }
}
