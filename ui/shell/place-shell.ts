import { pageQuery } from "../kit/answers/page-request.ts";
import type { Action, PlaceShell } from "../kit/places/action.ts";
import type { Notices } from "./notices.ts";
import type { Overlays } from "./overlays/overlays.ts";
import { useList } from "./platform/use-list.ts";
import { useNews } from "./platform/feed/news.ts";
import type { Platform } from "./platform/use-platform.ts";
import type { Clipboard, CommandLines } from "./use-copy.ts";
import type { Router } from "./router.ts";

interface ShellParts {
  readonly router: Router;
  readonly clipboard: Clipboard;
  readonly lines: CommandLines;
  readonly platform: Platform;
  readonly overlays: Overlays;
  readonly notices: Notices;
}

/** The rows of a list that match the filter. */
const useRows: PlaceShell["useRows"] = (
  { question, of, ask, keyOf, refreshMs },
  filter,
  height,
) => {
  const { where } = filter;
  const text = filter.text === "" ? undefined : filter.text;
  return useList(
    [question, of, where ?? text],
    (client, request, tenantId) => {
      const { signal } = request;
      return ask(client, { tenantId, signal, query: pageQuery(request), text, where });
    },
    { keyOf, height, refreshMs: refreshMs && (({ sample }) => refreshMs(sample)) },
  );
};

/** The shell as list places and their actions see it. */
export function placeShellOf(parts: ShellParts): PlaceShell {
  const { router, clipboard, lines, platform, overlays, notices } = parts;

  const run = async <Subject, Answer>(
    action: Action<Subject, Answer>,
    subject: Subject,
  ): Promise<Answer | undefined> => {
    const { client, tenantId } = platform.state.get();
    if (client === undefined) return undefined;
    try {
      const answer = await action.run(client, subject, tenantId);
      const message = action.done(subject, answer);
      if (typeof message === "string") notices.say("done", message);
      else notices.say("failed", message.failed);
      return answer;
    } catch (error) {
      notices.sayFailure(error);
      return undefined;
    }
  };

  return {
    useRows,
    useNews,
    back: router.back,
    copy: clipboard.copy,
    copyCommand: clipboard.inWorkspace,
    act(action, subject, onEnd) {
      const start = (line?: string) => {
        if (line !== undefined) notices.note("command", line);
        void run(action, subject).then(onEnd);
      };
      const { question } = action;
      if (question === undefined) return start();
      const command = question.command?.(subject);
      const platformCommand = question.platformCommand?.(subject);
      const line =
        command === undefined
          ? platformCommand && lines.onPlatform(...platformCommand)
          : lines.inWorkspace(...command);
      overlays.confirm({
        title: question.title(subject),
        effects: question.effects(subject, platform.state.get().tenantId),
        command: line,
        typed: question.typed?.(subject),
        onConfirm: () => start(line),
      });
    },
  };
}
