import { openSession } from "#auth/session.ts";

/** One process that wants a token: prints it, or the code of the error. */
const [configDirectory = "", baseUrl = ""] = process.argv.slice(2);

const session = openSession({ configDirectory, profile: "default", baseUrl });
try {
  console.log(await session.token());
} catch (error) {
  console.log(String(Reflect.get(Object(error), "code") ?? error));
}
