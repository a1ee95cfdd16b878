import { saveFailure, saveFile, type SaveTarget } from "../kit/files/save-file.ts";
import { localDateWords, sizeWords } from "../kit/text/words.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useSavePath } from "../shell/overlays/use-save-path.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import type { ChatState } from "./chat-session.ts";

const forms = [
  { form: "md", words: "Markdown: messages with their sources" },
  { form: "json", words: "JSON: everything" },
] as const;
type Form = (typeof forms)[number]["form"];

/** Returns a function that writes the shown conversation to a file. */
export function useChatExport({ conversationId, messages, answering }: ChatState): () => void {
  const { client, tenantId } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();
  const savePath = useSavePath();
  const commands = useCommandLines();

  async function* bytesOf(form: Form, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const chat = client?.useChat(undefined, { tenantId });
    const conversation = await chat?.conversation(conversationId, { signal });
    if (conversation === undefined) return;
    const { conversationMarkdown } = await import("#client/chat/markdown.ts");
    const isJson = form === "json";
    const json = () => `${JSON.stringify(conversation, null, 2)}\n`;
    yield new TextEncoder().encode(isJson ? json() : conversationMarkdown(conversation));
  }

  const save = (form: Form, target: SaveTarget): void =>
    overlays.work({
      title: "Save the conversation",
      counted: "written",
      wordsOf: sizeWords,
      stop: "stops; no file is written",
      run: async (_, signal) => {
        try {
          const size = await saveFile(target, bytesOf(form, signal));
          return { good: true, lines: [`saved ${target.path}, ${sizeWords(size)}`] };
        } catch (error) {
          return saveFailure(error, target);
        }
      },
    });

  const askPath = (form: Form): void => {
    const filename = `chat-${localDateWords(Date.now())}.${form}`;
    const format = form === "json" ? "json" : undefined;
    const writes = commands.inWorkspace(["chat", "export", conversationId], { format });
    const command = `${writes} > ${shellWord(filename)}`;
    savePath({
      title: "Save the conversation",
      words: "The file for the conversation; only you can read it. " + `As a command: ${command}`,
      command,
      filename,
      onTarget: (target) => save(form, target),
    });
  };

  return () => {
    if (messages.length === 0) return say("note", "there is no message yet");
    if (answering) return say("note", "wait for the end of the answer, or stop it");
    overlays.choose({
      title: "Save the conversation as",
      placeholder: "a format",
      choices: forms.map(({ form, words }) => ({ id: form, words, choose: () => askPath(form) })),
    });
  };
}
