//! Stands in for `snforge_std` where the tests run in a plain Cairo VM: the entry points the helpers use, with what
//! that VM offers. Deploying, calling and storage are real; `declare` and mocked calls are as real as they can be.

use starknet::syscalls::{deploy_syscall, storage_read_syscall, storage_write_syscall};
use starknet::testing::set_contract_address;
use starknet::{ClassHash, ContractAddress, StorageAddress, SyscallResultTrait, get_contract_address};

#[derive(Drop, Copy)]
pub struct ContractClass {
    pub class_hash: ClassHash,
}

#[derive(Drop, Copy)]
pub enum DeclareResult {
    Success: ContractClass,
    AlreadyDeclared: ContractClass,
}

pub trait DeclareResultTrait {
    fn contract_class(self: @DeclareResult) -> @ContractClass;
}

impl DeclareResultImpl of DeclareResultTrait {
    fn contract_class(self: @DeclareResult) -> @ContractClass {
        match self {
            DeclareResult::Success(class) => class,
            DeclareResult::AlreadyDeclared(class) => class,
        }
    }
}

pub trait ContractClassTrait {
    fn deploy(
        self: @ContractClass, constructor_calldata: @Array<felt252>,
    ) -> starknet::SyscallResult<(ContractAddress, Span<felt252>)>;
}

impl ContractClassImpl of ContractClassTrait {
    fn deploy(
        self: @ContractClass, constructor_calldata: @Array<felt252>,
    ) -> starknet::SyscallResult<(ContractAddress, Span<felt252>)> {
        deploy_syscall(*self.class_hash, 0, constructor_calldata.span(), false)
    }
}

pub fn declare(contract: ByteArray) -> Result<DeclareResult, Array<felt252>> {
    if contract == "ExecutionStoreMock" {
        Result::Ok(declared(hardhat_hdp::mock::ExecutionStoreMock::TEST_CLASS_HASH))
    } else if contract == "MinimumGate" {
        Result::Ok(declared(consumer_test::MinimumGate::TEST_CLASS_HASH))
    } else if contract == "FeeGate" {
        Result::Ok(declared(one_task_three_tests::fee_gate::FeeGate::TEST_CLASS_HASH))
    } else {
        Result::Err(array!['no contract of this name'])
    }
}

/// No files in this VM: any class file is the mock's.
pub fn declare_from_file(path: ByteArray) -> Result<DeclareResult, Array<felt252>> {
    if path.len() == 0 {
        return Result::Err(array!['no path']);
    }
    declare("ExecutionStoreMock")
}

pub fn store(target: ContractAddress, storage_address: felt252, serialized_value: Span<felt252>) {
    let test = get_contract_address();
    set_contract_address(target);
    let mut offset: u32 = 0;
    while offset != serialized_value.len() {
        let address: StorageAddress = (storage_address + offset.into()).try_into().unwrap();
        storage_write_syscall(0, address, *serialized_value.at(offset)).unwrap_syscall();
        offset += 1;
    };
    set_contract_address(test);
}

pub fn load(target: ContractAddress, storage_address: felt252, size: felt252) -> Array<felt252> {
    let test = get_contract_address();
    set_contract_address(target);
    let mut values: Array<felt252> = array![];
    let mut offset: felt252 = 0;
    while offset != size {
        let address: StorageAddress = (storage_address + offset).try_into().unwrap();
        values.append(storage_read_syscall(0, address).unwrap_syscall());
        offset += 1;
    };
    set_contract_address(test);
    values
}

/// Answers of mocked calls are kept in the storage of `AnsweringContract`, which must be at `contract_address`.
pub fn start_mock_call<T, impl TSerde: Serde<T>, impl TDestruct: Destruct<T>>(
    contract_address: ContractAddress, function_selector: felt252, ret_data: T,
) {
    let mut answer: Array<felt252> = array![];
    ret_data.serialize(ref answer);
    let mut kept: Array<felt252> = array![1, answer.len().into()];
    kept.append_span(answer.span());
    store(contract_address, answer_address(function_selector), kept.span());
}

pub fn stop_mock_call(contract_address: ContractAddress, function_selector: felt252) {
    store(contract_address, answer_address(function_selector), array![0].span());
}

/// The caller a contract sees is the address this VM runs the test under.
pub fn start_cheat_caller_address(contract_address: ContractAddress, caller_address: ContractAddress) {
    assert(contract_address != get_contract_address(), 'cheats only other contracts');
    set_contract_address(caller_address);
}

/// Tests run under address 0 here.
pub fn stop_cheat_caller_address(contract_address: ContractAddress) {
    assert(contract_address != get_contract_address(), 'cheats only other contracts');
    set_contract_address(0.try_into().unwrap());
}

/// Selectors and storage addresses are both below 2^251; the selectors in use leave room for an answer.
pub fn answer_address(function_selector: felt252) -> felt252 {
    function_selector
}

fn declared(class_hash: felt252) -> DeclareResult {
    DeclareResult::Success(ContractClass { class_hash: class_hash.try_into().unwrap() })
}
