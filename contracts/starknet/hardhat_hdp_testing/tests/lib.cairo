// SPDX-License-Identifier: MIT
mod consumer_test;
mod facts_test;
mod first_test;
mod hash_test;
mod helpers_test;
mod order_test;
mod reader_test;
mod storage_proofs_test;
mod store_test;
