import { it } from "node:test";

import { failingRead } from "./read.js";

void it("reads", failingRead);
