// What stands for `hardhat/plugins` in a browser: the base of every error.
export class HardhatPluginError extends Error {
  public constructor(
    public readonly pluginId: string,
    message: string,
  ) {
    super(message);
    this.name = "HardhatPluginError";
  }
}
