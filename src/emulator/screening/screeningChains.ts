import type { SCREENING_CHAINS } from '../../api/contract/screening';
import { checkAddress } from '../../crypto/addresses';
import { findChain, keyKindOf } from '../../domain/chains';

export type ScreeningChain = (typeof SCREENING_CHAINS)[number];

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';
const BITCOIN = `[13]${BASE58}{25,34}`;
const EVM = '0x[0-9a-fA-F]{40}';

/** Address formats of blockchains without wallets, all of them mainnets. Only the format is checked, no checksum. */
const ADDRESS_PATTERNS: Partial<Record<ScreeningChain, string>> = {
  ALGO: '[A-Z2-7]{58}',
  ATOM: `cosmos1${BECH32}{38,58}`,
  BCH: `(?:bitcoincash:)?[qp]${BECH32}{41}|${BITCOIN}`,
  BSV: BITCOIN,
  BTC: `${BITCOIN}|bc1${BECH32}{11,71}`,
  DOT: `${BASE58}{46,48}`,
  ETC: EVM,
  HBAR: '\\d+\\.\\d+\\.\\d+(?:-[a-z]{5})?',
  LTC: `[LM3]${BASE58}{25,34}|ltc1${BECH32}{11,71}`,
  TRX: `T${BASE58}{33}`,
  XLM: 'G[A-Z2-7]{55}',
  XMR: `[48]${BASE58}{94}`,
  XRP: `r${BASE58}{24,34}`,
  ZRX: EVM,
};

/** Whether an API key of this kind can screen addresses of the blockchain: test keys screen testnets, live keys mainnets. */
export function isScreenedWith(kind: 'test' | 'live', chain: ScreeningChain): boolean {
  return (keyKindOf(chain) ?? 'live') === kind;
}

export function isAddressOf(chain: ScreeningChain, address: string): boolean {
  const form = ADDRESS_PATTERNS[chain];
  if (form !== undefined) return new RegExp(`^(?:${form})$`).test(address);
  const family = findChain(chain)?.family;
  return family !== undefined && checkAddress(family, address) === undefined;
}
