// SPDX-License-Identifier: MIT

// The standard programs: each computes what a datalake task does, with the task as public inputs.
// docs/task-forms.md has the order of the inputs.
mod aggregate;
mod blocks;
mod calldata;
mod chain;
mod transactions;
