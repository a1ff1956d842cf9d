import { parentPort } from "node:worker_threads";

import { answerTo, type ClassQuestion } from "./read-class.js";

// Parsing and hashing a class takes seconds: on a thread of its own the server goes on answering meanwhile.
parentPort?.once("message", (question: ClassQuestion) => {
  parentPort?.postMessage(answerTo(question));
});
