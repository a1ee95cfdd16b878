import type { Uploads } from "../../shell/use-uploads.ts";
import { basename } from "node:path";
import type { ProcessingMode } from "#client/index.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { fileSize } from "../../kit/files/files.ts";
import {
  canBelongTo,
  contextOf,
  findContexts,
  workflowContext,
  type UploadContext,
} from "./upload-context.ts";
import { useNotices } from "../../shell/use-notices.tsx";
import { useObjectTypes } from "../../shell/platform/use-object-types.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";

const modes: readonly { readonly mode: ProcessingMode; readonly words: string }[] = [
  { mode: "full", words: "full: read, classify, extract and make it answerable in chat" },
  { mode: "classification", words: "classification: read and classify it" },
  { mode: "rag", words: "rag: read it and make it answerable in chat" },
  { mode: "store_only", words: "store_only: keep it as it is" },
];

export function useUploadQuestions(
  send: (path: string, context: UploadContext, mode: ProcessingMode) => void,
): Pick<Uploads, "start" | "startFor" | "canStartFor"> {
  const { client, session, tenantId } = usePlatform();
  const types = useObjectTypes();
  const overlays = useOverlays();
  const { say } = useNotices();

  const chooseMode = (path: string, context: UploadContext) =>
    overlays.choose({
      title: `Choose how to process ${basename(path)}`,
      placeholder: "a processing mode",
      choices: modes.map(({ mode, words }) => ({
        id: mode,
        words,
        choose: () => send(path, context, mode),
      })),
    });

  const askForPair = (path: string) =>
    overlays.ask({
      title: "App and workflow",
      words: "The keys of an app and of its workflow, separated by a space.",
      initial: [session.appKey, session.workflowKey].filter((key) => key !== undefined).join(" "),
      placeholder: "app-key workflow-key",
      problemOf: (text) =>
        text.split(/\s+/).length === 2 ? undefined : "two keys are required: app and workflow",
      onAnswer: (text) => {
        const [appKey = "", workflowKey = ""] = text.split(/\s+/);
        chooseMode(path, workflowContext({ appKey, workflowKey }));
      },
    });

  const chooseContext = (path: string) => {
    if (client === undefined || tenantId === undefined) return;
    const { appKey, workflowKey } = session;
    const pair =
      appKey !== undefined && workflowKey !== undefined ? { appKey, workflowKey } : undefined;
    overlays.wait({
      title: `Choose a context for ${basename(path)}`,
      words: "loading workflows and records",
      ask: async (signal) => {
        const query = { tenantId, types: types.value ?? [], pair, signal };
        const contexts = await findContexts(client, query);
        return () => offerContexts(path, contexts);
      },
    });
  };

  const offerContexts = (path: string, contexts: readonly UploadContext[]) => {
    const choices = contexts.map((context): Choice => ({
      id: context.id,
      words: context.words,
      note: context.kind,
      choose: () => chooseMode(path, context),
    }));
    const other: Choice = {
      id: "keys",
      words: "another app and workflow …",
      choose: () => askForPair(path),
    };
    overlays.choose({
      title: `Choose a context for ${basename(path)}`,
      placeholder: "a workflow or a record",
      choices: [...choices, other],
    });
  };

  const pickFile = (onPick: (path: string) => void) => {
    const check = async (path: string) => {
      if ((await fileSize(path)) === undefined) say("failed", `There is no file ${path}`);
      else onPick(path);
    };
    overlays.show({ kind: "file", title: "Upload a file", onPick: (path) => void check(path) });
  };
  return {
    start: () => pickFile(chooseContext),
    canStartFor: canBelongTo,
    startFor: (objectType, record) => {
      const context = contextOf(objectType, record);
      if (context !== undefined) pickFile((path) => chooseMode(path, context));
    },
  };
}
