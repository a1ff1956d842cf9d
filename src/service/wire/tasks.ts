import { z } from "zod";

import { wireIdSchema, wireTaskHashSchema, wireTaskRequestSchema } from "./common.js";

/** Body of `POST /tasks` in the specification's shape. */
export const tasksSubmitSchema = wireTaskRequestSchema;

/** Its reply. The specification promises a task UUID; the published servers call it `uuid` and say no more for sure. */
export const tasksAcceptedSchema = z
  .object({
    uuid: wireIdSchema,
    message: z.string().optional(),
    status: z.string().optional(),
    taskHashes: z.array(wireTaskHashSchema).optional(),
  })
  .passthrough();

/** Reply of `GET /tasks/{uuid}/status`: the published record, of which only `status` is required. */
export const tasksStatusSchema = z
  .object({
    taskId: z.string().optional(),
    status: z.string().min(1),
    errorMessage: z.string().nullish(),
    updatedAt: z.string().optional(),
  })
  .passthrough();

/** 404 of the published servers on reads. */
export const tasksNotFoundSchema = z.object({ error: z.string(), taskId: z.string() }).passthrough();

export type TasksAccepted = z.infer<typeof tasksAcceptedSchema>;
export type TasksStatus = z.infer<typeof tasksStatusSchema>;
