export { parseAbi, parseSierraAbi } from "../program/abi/abi.js";
export type * from "../program/abi/abi.js";
export {
  decodeInputs,
  decodeReturn,
  encodeArguments,
  leadingFelts,
  moduleParameters,
} from "../program/abi/arguments.js";
export type { DecodedArgument, EncodeArgumentsOptions, Visibility } from "../program/abi/arguments.js";
export { parseCompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
export type * from "../program/compiled-class.js";
export { findModuleReferences, module, typedModuleTask, withResolvedModules } from "../program/module-task.js";
export type * from "../program/module-task.js";
export { flatProgramHash, programHash } from "../program/program-hash.js";
export { scaffoldModule } from "../program/scarb.js";
export type { CairoValue } from "../request/lifecycle.js";
