import { failingRead, failingResult } from "./read.js";

it("reads", failingRead);
it("reads a result", failingResult);
