import { it } from "node:test";

import "../../support/patience.js";
import { failingRead } from "./read.js";

void it("reads", failingRead);
