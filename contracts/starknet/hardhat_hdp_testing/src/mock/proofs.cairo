// SPDX-License-Identifier: MIT
//! The part of the mocks that finalizes by facts, as satellites do, with facts and roots that
//! operators choose.

/// # TaskProofs component
///
/// Has the panics, the order of checks and the fact hashes of a satellite, published or of the
/// development branch. Verifies no proof: a fact is what an operator registered.
#[starknet::component]
pub mod TaskProofsComponent {
    use hardhat_hdp::satellite::{GroupedTaskData, ITaskProofs, MmrCollection, MmrData, TaskData};
    use starknet::get_caller_address;
    use starknet::storage::{
        Map, StoragePathEntry, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use crate::fact::{bootloaded_fact_hash, fact_hash};
    use crate::interface::{IKeccakMmrMock, ITaskProofsMock};
    use crate::mock::tasks::TaskStoreComponent;
    use crate::mock::tasks::TaskStoreComponent::InternalTrait as TaskStoreInternal;

    /// What the component keeps.
    #[storage]
    pub struct Storage {
        /// Proving programs, by hash.
        pub authorizedProgramHashes: Map<felt252, bool>,
        /// Facts.
        pub mock_facts: Map<felt252, bool>,
        /// Poseidon roots by chain id, MMR id and MMR size.
        pub mock_mmr_roots: Map<(u256, u256, u256), u256>,
        /// Keccak roots by chain id, MMR id and MMR size.
        pub mock_keccak_mmr_roots: Map<(u256, u256, u256), u256>,
    }

    /// What the component announces; nothing of it is a key.
    #[event]
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub enum Event {
        /// A proving program was authorized.
        ProgramHashEnabled: ProgramHashEnabled,
        /// Proving programs lost their authorization.
        ProgramHashesDisabled: ProgramHashesDisabled,
    }

    /// A proving program was authorized.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct ProgramHashEnabled {
        /// Its hash.
        pub program_hash: felt252,
    }

    /// Proving programs lost their authorization.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct ProgramHashesDisabled {
        /// Their hashes.
        pub program_hashes: Span<felt252>,
    }

    /// What the component panics with: the satellite's words.
    pub mod Errors {
        /// The caller does not own the satellite.
        pub const NOT_OWNER: felt252 = 'Caller is not the owner';
        /// The proving program is not authorized.
        pub const UNAUTHORIZED_PROGRAM: felt252 = 'UnauthorizedProgramHash';
        /// The root of an MMR is not known.
        pub const INVALID_ROOT: felt252 = 'InvalidMmrRoot';
        /// The execution is no fact.
        pub const INVALID_FACT: felt252 = 'Invalid fact';
        /// The id of an MMR is no felt.
        pub const MMR_ID: felt252 = 'mmr_id not felt252';
        /// The size of an MMR is no felt.
        pub const MMR_SIZE: felt252 = 'mmr_size not felt252';
        /// The chain id of an MMR is no felt.
        pub const CHAIN_ID: felt252 = 'chain_id not felt252';
        /// A Poseidon root is no felt.
        pub const MMR_ROOT: felt252 = 'mmr_root not felt252';
    }

    #[embeddable_as(TaskProofsImpl)]
    pub impl TaskProofs<
        TContractState,
        +HasComponent<TContractState>,
        +Drop<TContractState>,
        impl Tasks: TaskStoreComponent::HasComponent<TContractState>,
    > of ITaskProofs<ComponentState<TContractState>> {
        fn setDataProcessorProgramHash(
            ref self: ComponentState<TContractState>, program_hash: felt252,
        ) {
            self.assert_only_owner();
            self.authorizedProgramHashes.entry(program_hash).write(true);
            self.emit(ProgramHashEnabled { program_hash });
        }

        fn disableProgramHashes(
            ref self: ComponentState<TContractState>, program_hashes: Span<felt252>,
        ) {
            self.assert_only_owner();
            for program_hash in program_hashes {
                self.authorizedProgramHashes.entry(*program_hash).write(false);
            }
            self.emit(ProgramHashesDisabled { program_hashes });
        }

        fn isProgramHashAuthorized(
            self: @ComponentState<TContractState>, program_hash: felt252,
        ) -> bool {
            self.authorizedProgramHashes.entry(program_hash).read()
        }
    }

    #[embeddable_as(TaskProofsMockImpl)]
    pub impl TaskProofsMock<
        TContractState,
        +HasComponent<TContractState>,
        +Drop<TContractState>,
        impl Tasks: TaskStoreComponent::HasComponent<TContractState>,
    > of ITaskProofsMock<ComponentState<TContractState>> {
        fn register_fact(ref self: ComponentState<TContractState>, fact_hash: felt252) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            self.mock_facts.entry(fact_hash).write(true);
        }

        fn set_mmr_root(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            mmr_id: u256,
            mmr_size: u256,
            mmr_root: u256,
        ) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            self.mock_mmr_roots.entry((chain_id, mmr_id, mmr_size)).write(mmr_root);
        }
    }

    #[embeddable_as(KeccakMmrMockImpl)]
    pub impl KeccakMmrMock<
        TContractState,
        +HasComponent<TContractState>,
        +Drop<TContractState>,
        impl Tasks: TaskStoreComponent::HasComponent<TContractState>,
    > of IKeccakMmrMock<ComponentState<TContractState>> {
        fn set_keccak_mmr_root(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            mmr_id: u256,
            mmr_size: u256,
            mmr_root: u256,
        ) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            self.mock_keccak_mmr_roots.entry((chain_id, mmr_id, mmr_size)).write(mmr_root);
        }
    }

    /// For the contract.
    #[generate_trait]
    pub impl InternalImpl<
        TContractState,
        +HasComponent<TContractState>,
        +Drop<TContractState>,
        impl Tasks: TaskStoreComponent::HasComponent<TContractState>,
    > of InternalTrait<TContractState> {
        /// Finalizes a task by its fact as a published satellite does.
        fn authenticate(ref self: ComponentState<TContractState>, task_data: TaskData) {
            self.assert_may_finalize(grouped(task_data));
            self.finalize_fact(grouped(task_data), self.fact(task_data));
        }

        /// Finalizes a task by its fact as a satellite of the development branch does.
        fn authenticate_grouped(
            ref self: ComponentState<TContractState>, task_data: GroupedTaskData,
        ) {
            self.assert_may_finalize(task_data);
            self.finalize_fact(task_data, self.grouped_fact(task_data));
        }

        /// The fact of an execution in a published satellite: its program's output is the halves of
        /// task hash and result, and the words of each MMR.
        fn fact(self: @ComponentState<TContractState>, task_data: TaskData) -> felt252 {
            let mut output = halves(grouped(task_data));
            self.append_poseidon_mmrs(ref output, task_data.mmr_data);
            fact_hash(task_data.program_hash, output.span())
        }

        /// The fact of an execution in a satellite of the development branch: the numbers of MMRs
        /// of both groups follow the halves, and SHARP's bootloader ran the program.
        fn grouped_fact(
            self: @ComponentState<TContractState>, task_data: GroupedTaskData,
        ) -> felt252 {
            let MmrCollection { poseidon_mmr, keccak_mmr } = task_data.mmr_collection;
            let mut output = halves(task_data);
            output.append(poseidon_mmr.len().into());
            output.append(keccak_mmr.len().into());
            self.append_poseidon_mmrs(ref output, poseidon_mmr);
            self.append_keccak_mmrs(ref output, keccak_mmr);
            bootloaded_fact_hash(task_data.program_hash, output.span())
        }

        /// Appends id, size, chain id and root of each MMR.
        fn append_poseidon_mmrs(
            self: @ComponentState<TContractState>, ref output: Array<felt252>, mmrs: Span<MmrData>,
        ) {
            for mmr in mmrs {
                let key = (*mmr.chain_id, *mmr.mmr_id, *mmr.mmr_size);
                let root = self.mock_mmr_roots.entry(key).read();
                append_mmr(ref output, *mmr, root);
                output.append(root.try_into().expect(Errors::MMR_ROOT));
            }
        }

        /// Appends id, size, chain id and the root's low and high half of each MMR.
        fn append_keccak_mmrs(
            self: @ComponentState<TContractState>, ref output: Array<felt252>, mmrs: Span<MmrData>,
        ) {
            for mmr in mmrs {
                let key = (*mmr.chain_id, *mmr.mmr_id, *mmr.mmr_size);
                let root = self.mock_keccak_mmr_roots.entry(key).read();
                append_mmr(ref output, *mmr, root);
                output.append(root.low.into());
                output.append(root.high.into());
            }
        }

        /// Panics unless the task is open and the program authorized.
        fn assert_may_finalize(self: @ComponentState<TContractState>, task_data: GroupedTaskData) {
            get_dep_component!(self, Tasks).assert_not_finalized(task_hash(task_data));
            let authorized = self.authorizedProgramHashes.entry(task_data.program_hash).read();
            assert(authorized, Errors::UNAUTHORIZED_PROGRAM);
        }

        /// Finalizes the task if its execution is a fact.
        fn finalize_fact(
            ref self: ComponentState<TContractState>, task_data: GroupedTaskData, fact: felt252,
        ) {
            assert(self.mock_facts.entry(fact).read(), Errors::INVALID_FACT);
            let result = u256 { low: task_data.task_result_low, high: task_data.task_result_high };
            let mut tasks = get_dep_component_mut!(ref self, Tasks);
            tasks.write_result(task_hash(task_data), result);
        }

        /// Panics unless the owner calls.
        fn assert_only_owner(self: @ComponentState<TContractState>) {
            let owner = get_dep_component!(self, Tasks).mock_owner.read();
            assert(get_caller_address() == owner, Errors::NOT_OWNER);
        }
    }

    /// An execution in the shape of the development branch.
    fn grouped(task_data: TaskData) -> GroupedTaskData {
        GroupedTaskData {
            mmr_collection: MmrCollection {
                poseidon_mmr: task_data.mmr_data, keccak_mmr: array![].span(),
            },
            task_result_low: task_data.task_result_low,
            task_result_high: task_data.task_result_high,
            task_hash_low: task_data.task_hash_low,
            task_hash_high: task_data.task_hash_high,
            program_hash: task_data.program_hash,
        }
    }

    fn task_hash(task_data: GroupedTaskData) -> u256 {
        u256 { low: task_data.task_hash_low, high: task_data.task_hash_high }
    }

    /// The first words of the program's output.
    fn halves(task_data: GroupedTaskData) -> Array<felt252> {
        array![
            task_data.task_hash_low.into(), task_data.task_hash_high.into(),
            task_data.task_result_low.into(), task_data.task_result_high.into(),
        ]
    }

    /// Appends what both groups have in common. Panics if the root is not known.
    fn append_mmr(ref output: Array<felt252>, mmr: MmrData, root: u256) {
        assert(root != 0, Errors::INVALID_ROOT);
        output.append(mmr.mmr_id.try_into().expect(Errors::MMR_ID));
        output.append(mmr.mmr_size.try_into().expect(Errors::MMR_SIZE));
        output.append(mmr.chain_id.try_into().expect(Errors::CHAIN_ID));
    }
}
