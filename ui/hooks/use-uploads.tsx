import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import type { ProcessingMode, Resource } from "#client/index.ts";
import type { Choice } from "../components/palette.tsx";
import { failureLine, failureOf, isAbort, type Failure } from "../failure.ts";
import { canBelongTo, contextOf, findContexts, type UploadContext } from "../upload-context.ts";
import { useNotices } from "./use-notices.tsx";
import { useObjectTypes } from "./use-object-types.ts";
import { useOverlays } from "./use-overlays.tsx";
import { usePlatform } from "./use-platform.tsx";
import { useRouter } from "./use-router.tsx";

/** A file on its way, or just accepted or refused. */
export interface Upload {
  readonly id: number;
  readonly filename: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly state: "sending" | "accepted" | "stopped" | "failed";
  readonly jobId: string | undefined;
  readonly failure: Failure | undefined;
}

interface Uploads {
  readonly uploads: readonly Upload[];
  /** Asks for a file, what it belongs to and what to do with it, and sends it. */
  start(): void;
  /** As `start`, for a record that is known already. */
  startFor(objectType: string, record: Resource): void;
  canBelongTo(objectType: string): boolean;
  /** Stops the newest one that is still being sent; absent while none is. */
  readonly stop: (() => void) | undefined;
}

const UploadContextValue = createContext<Uploads | undefined>(undefined);

const modes: readonly { readonly mode: ProcessingMode; readonly words: string }[] = [
  { mode: "full", words: "full: read, classify, extract and make it answerable in chat" },
  { mode: "classification", words: "classification: read and classify it" },
  { mode: "rag", words: "rag: read it and make it answerable in chat" },
  { mode: "store_only", words: "store_only: keep it as it is" },
];

const maximumUploads = 20;
/** Progress of one upload is drawn at most this often. */
const progressMs = 200;
const endedShownMs = 6_000;

function isSending(upload: Upload): boolean {
  return upload.state === "sending";
}

export function UploadsProvider(props: { readonly children: ReactNode }) {
  const { client, session } = usePlatform();
  const types = useObjectTypes();
  const overlays = useOverlays();
  const { say } = useNotices();
  const { go, route } = useRouter();
  const here = useRef(route);
  useEffect(() => {
    here.current = route;
  });
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const nextId = useRef(0);
  const aborters = useRef(new Map<number, AbortController>());
  const tenantId = session.workspace?.id;

  useEffect(() => {
    const sending = aborters.current;
    return () => {
      for (const aborter of sending.values()) aborter.abort();
    };
  }, []);

  const change = (id: number, part: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));

  const send = async (path: string, context: UploadContext, mode: ProcessingMode) => {
    if (client === undefined || tenantId === undefined) return;
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || !facts.isFile()) {
      say("failed", `There is no file ${path}`);
      return;
    }
    const file = Bun.file(path);
    const filename = basename(path);
    const id = (nextId.current += 1);
    const upload: Upload = {
      id,
      filename,
      sentBytes: 0,
      totalBytes: facts.size,
      state: "sending",
      jobId: undefined,
      failure: undefined,
    };
    setUploads((now) => [upload, ...now.filter(isSending)].slice(0, maximumUploads));
    go({ place: "jobs" });
    let drawnAt = 0;
    const aborter = new AbortController();
    aborters.current.set(id, aborter);
    // Shown for a while: its job, if it has one, is in the list.
    const forgetLater = () => {
      const forget = () => setUploads((now) => now.filter((one) => one.id !== id));
      // Whoever leaves does not wait for it.
      setTimeout(forget, endedShownMs).unref();
    };
    try {
      const outcome = await client.useDocuments(tenantId).upload(
        {
          filename,
          contentType: file.type,
          content: { size: facts.size, stream: () => file.stream() },
        },
        { ...context.metadata, processingMode: mode },
        {
          signal: aborter.signal,
          onProgress: (sentBytes) => {
            if (performance.now() - drawnAt < progressMs) return;
            drawnAt = performance.now();
            change(id, { sentBytes });
          },
        },
      );
      const accepted = await outcome.accepted();
      change(id, { state: "accepted", sentBytes: facts.size, jobId: accepted.jobId });
      forgetLater();
      const name = accepted.documentNumber ?? accepted.documentId ?? filename;
      if (accepted.duplicateOf === undefined)
        say("done", `accepted as ${name}; its job is running`);
      else say("note", `these bytes are here already, as ${name}; nothing was run again`);
      // It may have taken long, and its sender may be somewhere else by now.
      if (here.current.place === "jobs") go({ place: "jobs", jobId: accepted.jobId });
    } catch (error) {
      if (isAbort(error)) {
        change(id, { state: "stopped" });
        forgetLater();
        say("note", `${filename} was stopped; had all of it been sent, its job is in the list`);
        return;
      }
      change(id, { state: "failed", failure: failureOf(error) });
      say("failed", `${filename} was not uploaded: ${failureLine(error)}`);
    } finally {
      aborters.current.delete(id);
    }
  };

  const chooseMode = (path: string, context: UploadContext) =>
    overlays.show({
      kind: "choose",
      title: `What to do with ${basename(path)}`,
      placeholder: "a way to process it",
      choices: modes.map(({ mode, words }) => ({
        id: mode,
        words,
        choose: () => void send(path, context, mode),
      })),
    });

  const askForPair = (path: string) =>
    overlays.show({
      kind: "ask",
      question: {
        title: "App and workflow",
        words: "The keys of an app and of its workflow, a space between them.",
        initial: [session.appKey, session.workflowKey].filter((key) => key !== undefined).join(" "),
        placeholder: "app-key workflow-key",
        problemOf: (text) =>
          text.split(/\s+/).length === 2 ? undefined : "two keys are needed: app and workflow",
        onAnswer: (text) => {
          const [verticalKey, workflowKey] = text.split(/\s+/);
          chooseMode(path, {
            id: text,
            words: text,
            kind: "workflow",
            metadata: { verticalKey, workflowKey },
          });
        },
      },
    });

  const chooseContext = (path: string) => {
    if (client === undefined || tenantId === undefined) return;
    const { appKey, workflowKey } = session;
    const pair =
      appKey !== undefined && workflowKey !== undefined ? { appKey, workflowKey } : undefined;
    overlays.show({
      kind: "wait",
      pending: {
        title: `What ${basename(path)} belongs to`,
        words: "asking what there is",
        ask: async (signal) => {
          const query = { tenantId, types: types.value ?? [], pair, signal };
          const contexts = await findContexts(client, query);
          return () => offerContexts(path, contexts);
        },
      },
    });
  };

  const offerContexts = (path: string, contexts: readonly UploadContext[]) => {
    const choices = contexts.map((context): Choice => ({
      id: context.id,
      words: context.words,
      beside: context.kind,
      choose: () => chooseMode(path, context),
    }));
    const other: Choice = {
      id: "keys",
      words: "another app and workflow …",
      choose: () => askForPair(path),
    };
    overlays.show({
      kind: "choose",
      title: `What ${basename(path)} belongs to`,
      placeholder: "a workflow or a record",
      choices: [...choices, other],
    });
  };

  const checked = async (path: string, onPick: (path: string) => void) => {
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() === true) onPick(path);
    else say("failed", `There is no file ${path}`);
  };
  const pickFile = (onPick: (path: string) => void) =>
    overlays.show({
      kind: "file",
      title: "Upload a file",
      onPick: (path) => void checked(path, onPick),
    });

  const newest = uploads.find(isSending);
  const value: Uploads = {
    uploads,
    start: () => pickFile(chooseContext),
    startFor: (objectType, record) => {
      const context = contextOf(objectType, record);
      if (context !== undefined) pickFile((path) => chooseMode(path, context));
    },
    canBelongTo,
    stop: newest === undefined ? undefined : () => aborters.current.get(newest.id)?.abort(),
  };
  return <UploadContextValue value={value}>{props.children}</UploadContextValue>;
}

/** Files on their way; they go on while other places are looked at. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadContextValue);
  if (uploads === undefined) throw new Error("useUploads needs an UploadsProvider above it");
  return uploads;
}
