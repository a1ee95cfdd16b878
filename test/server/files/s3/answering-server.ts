import { S3Bucket } from "#server/files/s3/bucket.ts";
import { defaultS3Limits, S3Connection } from "#server/files/s3/s3-connection.ts";
import { parseFilesUrl } from "#server/files/s3/files-url.ts";

export const servers: Bun.Server<undefined>[] = [];

/** Sends the same response to every request. */
export function answering(answer: (request: Request) => Response): {
  endpoint: string;
  seen: Request[];
} {
  const seen: Request[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request);
      return answer(request);
    },
  });
  servers.push(server);
  return { endpoint: `http://127.0.0.1:${server.port}`, seen };
}

export function bucketAt(endpoint: string, region = "us-east-1", keys = {}): S3Bucket {
  const location = parseFilesUrl(`s3://files?endpoint=${endpoint}&region=${region}`);
  const limits = { ...defaultS3Limits, firstPauseMs: 1, longestPauseMs: 2 };
  const credentials = { accessKeyId: "AKIDTEST", secretAccessKey: "secret", ...keys };
  return new S3Bucket(new S3Connection(location, credentials, limits));
}
