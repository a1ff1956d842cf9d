export { parseAbi, parseSierraAbi } from "../program/abi/abi.js";
export type {
  Abi,
  AbiEnum,
  AbiFunction,
  AbiInterface,
  AbiParameter,
  AbiStruct,
} from "../program/abi/abi.js";
export type {
  ArgumentsOf,
  ByteArrayValue,
  IntegerValue,
  ValueOf,
  VisibilityOf,
} from "../program/abi/abi.js";
export * from "../program/abi/arguments.js";
export { parseCompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
export type {
  ClassSource,
  CompiledClass,
  CompiledEntryPoint,
  CompiledHint,
} from "../program/compiled-class.js";
export type { EntryPointType, FeltSource, SegmentLengths } from "../program/compiled-class.js";
export {
  findModuleReferences,
  module,
  typedModuleTask,
  withResolvedModules,
} from "../program/module-task.js";
export type {
  LoadFile,
  ModuleReference,
  NamedModuleOptions,
  NamedModuleTask,
} from "../program/module-task.js";
export type { ReferencedProgram, ResolvedModules, TypedModule } from "../program/module-task.js";
export { flatProgramHash, programHash } from "../program/program-hash.js";
export { scaffoldModule } from "../program/scarb.js";
