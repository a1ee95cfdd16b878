import { useNotices } from "./use-notices.tsx";

/** Runs work in the background: reports its words or its failure as a toast, then calls `onEnd`. */
export function useReportedWork(
  onEnd: () => void,
): (work: () => Promise<string | undefined>) => void {
  const { say, sayFailure } = useNotices();
  return (work) => {
    work()
      .then((words) => {
        if (words !== undefined) say("done", words);
      }, sayFailure)
      .finally(onEnd);
  };
}
