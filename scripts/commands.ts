import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { commandManifest } from "./command-manifest.js";

const file = join(import.meta.dirname, "..", "src", "tasks", "generated", "commands.ts");
await writeFile(file, await commandManifest());
