import { useRoute } from "../shell/router.ts";
import { DocumentListScreen } from "./document-list.tsx";
import { DocumentReader } from "./document-reader.tsx";
import { ReviewQueue } from "./review-queue.ts";

export function DocumentsScreen() {
  const route = useRoute();
  if (route.place !== "documents") return null;
  const { documentId, citation, review, queue = false } = route;
  if (documentId !== undefined) {
    return (
      <DocumentReader
        key={`${documentId} ${citation?.id ?? ""} ${review ?? ""}`}
        documentId={documentId}
        citation={citation}
        review={review}
      />
    );
  }
  return queue ? <ReviewQueue /> : <DocumentListScreen />;
}
