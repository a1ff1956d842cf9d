import { HardhatPluginError } from "hardhat/plugins";

import { HdpError, type HdpErrorCode } from "../errors/hdp-error.js";

export const PLUGIN_ID = "hardhat-hdp";

/**
 * An error of this package as Hardhat prints it: without a stack, named after the plugin. Keeps the catalogue number
 * and the parts of the original, which is its `cause`; `isHdpError` holds for it too.
 */
export class HdpPluginError extends HardhatPluginError {
  public readonly code: HdpErrorCode;
  public readonly shortMessage: string;
  public readonly path: string | undefined;
  public readonly source: string | undefined;
  public readonly hints: readonly string[];

  /** @param more a last line, for whoever reads the error on a terminal */
  public constructor(error: HdpError, more?: string) {
    super(PLUGIN_ID, more === undefined ? error.message : `${error.message}\n  ${more}`, error);
    this.code = error.code;
    this.shortMessage = error.shortMessage;
    this.path = error.path;
    this.source = error.source;
    this.hints = error.hints;
  }
}

/** Runs what a user called: errors of this package leave as {@link HdpPluginError}, all others as they are. */
export async function atTheEdge<T>(action: () => Promise<T>, more?: (error: HdpError) => string): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof HdpError) throw new HdpPluginError(error, more?.(error));
    throw error;
  }
}
