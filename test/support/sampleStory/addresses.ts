export const CHAIN = 'ETH-SEPOLIA';
/** An address with a suffix that hits a rule of screening. */
export const ending = (suffix: string) => `0x${'a'.repeat(40 - suffix.length)}${suffix}`;
/** Suffixes of addresses that screening denies. */
export const DENIED = ['9999', '8888', '7777', '8999', '8899', '8889', '7779'];
/** Suffix of an address that screening reviews and lets pass. */
export const REVIEWED = '7766';
