// SPDX-License-Identifier: MIT
//! Where an execution store keeps a result in its storage.

use core::pedersen::pedersen;
use starknet::storage_access::{storage_address_from_base, storage_base_address_from_felt252};

/// Storage address of the first of a task's three felts: status, result low, result high.
pub fn result_storage_address(task_hash: u256) -> felt252 {
    let key = pedersen(selector!("cachedTasksResult"), task_hash.low.into());
    let base = storage_base_address_from_felt252(pedersen(key, task_hash.high.into()));
    storage_address_from_base(base).into()
}
