import { expect } from "chai";

import { HdpError, parseTaskRequest } from "../../src/entries/request.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import {
  badRequest,
  MAX_ERRORS,
  HttpRefusal,
  toRefusal,
  tooBusy,
  tooLarge,
  unknownId,
  unreadable,
} from "../../src/dev-server/refusals.js";
import { hdpThrown } from "../support/failure.js";

const bodyOf = ({ reply }: HttpRefusal): unknown =>
  JSON.parse(reply.body?.text.toString() ?? "null");

describe("development server: refusals", () => {
  it("name one error, and list several with their number", () => {
    const one = badRequest("trie_label: expected a felt");
    expect([one.code, one.reply.status]).to.deep.equal(["HDP-4518", 400]);
    expect(one.shortMessage).to.include("trie_label: expected a felt");
    const two = badRequest("a: wrong", "b: wrong");
    expect(two.shortMessage).to.include("it has 2 errors");
    expect(two.hints).to.include.members(["a: wrong", "b: wrong"]);
    expect(two.hints).to.have.length(one.hints.length + 2);
  });

  it("list at most a hundred errors and count the others", () => {
    const errors = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `member ${index}: wrong`);
    const listed = (count: number): readonly string[] =>
      badRequest(...errors(count)).hints.filter((hint) => /^member|more\.$/.test(hint));
    expect(listed(MAX_ERRORS)).to.deep.equal(errors(MAX_ERRORS));
    expect(listed(MAX_ERRORS + 1_000)).to.deep.equal([...errors(MAX_ERRORS), "… and 1,000 more."]);
  });

  it("say what is too large, in 413", () => {
    const refusal = tooLarge("it has 3 tasks, more than 2", { connection: "close" });
    expect([refusal.code, refusal.reply.status]).to.deep.equal(["HDP-4529", 413]);
    expect(refusal.shortMessage).to.include("it has 3 tasks, more than 2");
    expect(refusal.reply.headers).to.deep.equal({ connection: "close" });
  });

  it("ask a client to try again in a second, in 429", () => {
    const refusal = tooBusy("tasks", "9 are under way", "Submit it again.");
    expect([refusal.code, refusal.reply.status]).to.deep.equal(["HDP-4531", 429]);
    expect(refusal.reply.headers).to.deep.equal({ "retry-after": "1" });
    expect(refusal.message).to.include("9 are under way").and.include("Submit it again.");
  });

  it("end the connection only of a body that did not arrive in time", () => {
    expect(unreadable("it is not UTF-8 text", "JSON").reply).to.include({ status: 400 });
    expect(unreadable("it is not UTF-8 text", "JSON").reply.headers).to.deep.equal({});
    const late = unreadable("it did not arrive", undefined, 408);
    expect(late.reply.status).to.equal(408);
    expect(late.reply.headers).to.deep.equal({ connection: "close" });
  });

  it("quote at most 200 characters of an unknown id, in 404", () => {
    const refusal = unknownId("task", "x".repeat(300), "POST /tasks");
    expect([refusal.code, refusal.reply.status]).to.deep.equal(["HDP-4519", 404]);
    expect(refusal.shortMessage).to.include("x".repeat(200)).and.not.include("x".repeat(201));
    expect(refusal.hints).to.include("Make it first: POST /tasks.");
  });

  it("returns the sentence, number, place and hints as JSON, and no member without a value", () => {
    const words = { code: "HDP-4518", message: "it is wrong." } as const;
    expect(bodyOf(new HttpRefusal(words))).to.deep.equal({
      error: "it is wrong.",
      code: "HDP-4518",
    });
    expect(bodyOf(new HttpRefusal({ ...words, path: "" }))).to.not.have.property("path");
    expect(
      bodyOf(new HttpRefusal({ ...words, path: "tasks[0]", hints: ["Write it."] })),
    ).to.deep.equal({
      error: "it is wrong.",
      code: "HDP-4518",
      path: "tasks[0]",
      hints: ["Write it."],
    });
    const published = { error: "Task not found" };
    expect(bodyOf(new HttpRefusal(words, { status: 404, body: published }))).to.deep.equal(
      published,
    );
  });
});

describe("development server: what a failed request is answered", () => {
  it("returns its own refusal unchanged", () => {
    const refusal = badRequest("a: wrong");
    expect(toRefusal(refusal)).to.equal(refusal);
  });

  it("answers 400 with every error of the request", () => {
    const error = hdpThrown(() => parseTaskRequest({ tasks: [{}, {}] }));
    const refusal = toRefusal(error);
    expect(refusal?.reply.status).to.equal(400);
    const body = refusal === undefined ? undefined : bodyOf(refusal);
    expect(body).to.have.property("code", error.code);
    expect(body).to.have.property("errors").that.is.an("array").with.length.greaterThan(1);
    const [first] = (body as { errors: object[] }).errors;
    expect(first).to.include.keys("error", "code", "path");
  });

  it("answers 400 with the place of an error of the domain", () => {
    const error = hdpError("HDP-1118", { value: "-1" }, { path: "inputs[0]" });
    const refusal = toRefusal(error);
    expect(refusal?.reply.status).to.equal(400);
    expect(refusal?.code).to.equal("HDP-1118");
    expect(refusal === undefined ? undefined : bodyOf(refusal)).to.include({
      error: error.shortMessage,
      code: "HDP-1118",
      path: "inputs[0]",
    });
  });

  it("answers no refusal for a failure of the server: its database, or a defect", () => {
    const full = new HdpError({ code: "HDP-5101", message: "the disk is full" });
    expect(toRefusal(full)).to.equal(undefined);
    expect(toRefusal(new TypeError("a defect"))).to.equal(undefined);
    expect(toRefusal("a text")).to.equal(undefined);
  });
});
