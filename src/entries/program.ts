export { parseAbi, parseSierraAbi } from "../program/abi/abi.js";
export type * from "../program/abi/abi.js";
export type { ArgumentsOf, ByteArrayValue, IntegerValue, ValueOf, VisibilityOf } from "../program/abi/abi.js";
export { decodeInputs, decodeReturn, encodeArguments } from "../program/abi/arguments.js";
export type { DecodedArgument, EncodeArgumentsOptions, Visibility } from "../program/abi/arguments.js";
export type { CairoValue } from "../request/lifecycle.js";
export { leadingFelts, moduleParameters } from "../program/abi/arguments.js";
export { ENTRY_POINT_TYPES, parseCompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
export type * from "../program/compiled-class.js";
export { MAIN_SELECTOR, requireMain } from "../program/compiled-class.js";
export {
  findModuleReferences,
  resolveModuleTask,
  resolveModules,
  withResolvedModules,
} from "../program/module-reference.js";
export type * from "../program/module-reference.js";
export { module } from "../program/module-task.js";
export type * from "../program/module-task.js";
export { moduleTask } from "../program/module-task.js";
export type { TypedModule } from "../program/module-task.js";
export { flatProgramHash, programHash } from "../program/program-hash.js";
export { scaffoldModule } from "../program/module-scaffold.js";
export { compiledPathOf, sierraPathOf } from "../program/scarb.js";
export {
  SCAFFOLD_CONTRACT,
  checkPackageName,
  scarbArtifacts,
  scarbBuild,
  scarbFailed,
  scarbMissing,
} from "../program/scarb.js";
export type { ScarbCommand } from "../program/scarb.js";
