/** docs/errors/README.md as the pages' titles make it. */
export function errorIndex(): string;
