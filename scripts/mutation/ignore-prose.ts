// Sentences are for people: people read them, tests compare few of them. What is changed of texts are the words that
// code goes by: states, phases and kinds.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { z } from "zod";

const text = z.object({ type: z.enum(["StringLiteral", "TemplateLiteral"]) });
const hints = z.object({
  node: z.object({
    type: z.literal("ObjectProperty"),
    key: z.object({ name: z.literal("hints") }),
    value: z.object({ type: z.literal("ArrayExpression"), elements: z.array(text) }),
  }),
});

/** A word in the place of a value: what a function answers, or what a state is set to. */
const word = z.object({
  node: z.object({ type: z.literal("StringLiteral"), value: z.string().regex(/^[a-z][a-z-]+$/) }),
  parent: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("ObjectProperty"),
      key: z.object({ name: z.enum(["state", "status", "phase", "event", "kind"]) }),
    }),
    z.object({ type: z.literal("ReturnStatement") }),
    z.object({ type: z.literal("ConditionalExpression") }),
    z.object({ type: z.literal("ArrowFunctionExpression") }),
    z.object({ type: z.literal("AssignmentExpression") }),
  ]),
});

const literal = z.object({ node: z.object({ type: z.literal("StringLiteral") }) });

/** Names and plain calls only: nothing in it is left to be changed but the text itself. */
const plain: z.ZodType<unknown> = z.lazy(() =>
  z.union([
    z.object({
      type: z.enum([
        "Identifier",
        "StringLiteral",
        "NumericLiteral",
        "PrivateName",
        "ThisExpression",
      ]),
    }),
    z.object({ type: z.literal("MemberExpression"), object: plain, property: plain }),
    z.object({ type: z.literal("CallExpression"), callee: plain, arguments: z.array(plain) }),
  ]),
);
const plainTemplate = z.object({
  node: z.object({ type: z.literal("TemplateLiteral"), expressions: z.array(plain) }),
});

/** What Stryker loads this file for. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "prose", {
    shouldIgnore: (path) => {
      if (hints.safeParse(path).success) return "sentences for people";
      if (plainTemplate.safeParse(path).success) return "text";
      return literal.safeParse(path).success && !word.safeParse(path).success ? "text" : undefined;
    },
  }),
];
