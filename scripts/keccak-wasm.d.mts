export function keccakModule(): string;
