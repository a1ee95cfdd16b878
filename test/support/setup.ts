import { afterAll, afterEach } from "vitest";
import "./cheap-hashes.ts";
import { cleanUpFile, cleanUpTest } from "./cleanup.ts";

// Vitest runs this file again before each test file.
afterEach(cleanUpTest);
afterAll(cleanUpFile);
