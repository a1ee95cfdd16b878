import { afterAll, expect, onTestFinished, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { makeNote, makeNotes, start } from "./data-directories.ts";

const server = S3Server.start({ directory: await temporaryDirectory("s3") });
afterAll(() => server.down());
const { endpoint, region, accessKeyId, secretAccessKey } = server;
const filesUrl = `s3://files/moved?endpoint=${endpoint}&region=${region}`;

describeNeeding("svc serve move", missingPostgres, () => {
  test("prepares, moves, verifies and takes back, with files in an S3-compatible store", async () => {
    const the = await start();
    await makeNotes(the);
    await makeNote(the, 1);
    const target = await createTestDatabase();
    onTestFinished(() => target.drop());
    const variables = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      SVC_DATABASE_URL: target.url,
    };
    const dataDir = await temporaryDirectory("target");
    const places = ["--from", `sqlite:${the.dataDirectory}`, "--to", "postgres"];
    places.push("--data-dir", dataDir, "--to-files-url", filesUrl, "--format", "json");
    const move = async (...words: string[]) =>
      runCommand(["serve", "move", ...places, ...words], { variables });
    expect(await move("--prepare")).toMatchObject({
      exitCode: 0,
      json: { action: "prepared", ok: true, readOnlySeconds: 0 },
      stderr: expect.stringContaining("without --prepare ends the move"),
    });
    await makeNote(the, 2);
    expect(await move()).toMatchObject({ exitCode: 0, json: { action: "moved", ok: true } });
    expect(await move()).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    expect(await move("--verify")).toMatchObject({
      exitCode: 0,
      json: { action: "verified", ok: true, isSourceOpen: false },
    });
    const path = `/v4/data/resources/${the.workspaces.tenant}/note`;
    const create = () => the.as("tenant-staff").post(path, { text: "late", number: 3 });
    expect((await create()).status).toBe(503);
    expect(await move("--reopen")).toMatchObject({
      exitCode: 0,
      json: { action: "reopened", since: { added: 0, changed: 0, removed: 0 }, tables: [] },
    });
    expect((await create()).status).toBe(201);
    const differs = await move("--verify");
    expect(differs).toMatchObject({ exitCode: 1, json: { ok: false, isSourceOpen: true } });
    expect(JSON.stringify(differs.json)).toContain('"table":"resources"');
  });
});

test("svc serve move refuses what is no place, without showing a password", async () => {
  const wrong = await runCommand("serve move --from mysql://svc:secret@host/x --to sqlite:data");
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--from is not a place of data"),
  });
  expect(wrong.stderr).not.toContain("secret");
  const alike = await runCommand("serve move --from sqlite:one --to sqlite:two");
  expect(alike).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("from SQLite to PostgreSQL"),
  });
});
