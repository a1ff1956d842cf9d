import { failingRead } from "./read.js";

it("reads", failingRead);
