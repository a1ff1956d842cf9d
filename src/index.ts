// The plugin object lands here with src/plugin.
export {};
