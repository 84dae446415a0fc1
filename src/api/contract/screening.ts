import { z } from 'zod';
import { openEnum, orNull, timestamp } from './schema';

/** Blockchains whose addresses can be screened. Screening has its own list (docs/api-behavior.md#screening). */
export const SCREENING_CHAINS = [
  'ETH',
  'ETH-SEPOLIA',
  'AVAX',
  'AVAX-FUJI',
  'MATIC',
  'MATIC-AMOY',
  'ALGO',
  'ATOM',
  'ARB',
  'ARB-SEPOLIA',
  'HBAR',
  'SOL',
  'SOL-DEVNET',
  'UNI',
  'UNI-SEPOLIA',
  'TRX',
  'XLM',
  'BCH',
  'BTC',
  'BSV',
  'ETC',
  'LTC',
  'XMR',
  'XRP',
  'ZRX',
  'OP',
  'DOT',
] as const;
export const RISK_ACTIONS = ['APPROVE', 'REVIEW', 'FREEZE_WALLET', 'DENY'] as const;
export const RISK_SCORES = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'SEVERE', 'BLOCKLIST'] as const;
export const RISK_CATEGORIES = [
  'SANCTIONS',
  'CSAM',
  'ILLICIT_BEHAVIOR',
  'GAMBLING',
  'TERRORIST_FINANCING',
  'UNSUPPORTED',
  'FROZEN',
  'OTHER',
  'HIGH_RISK_INDUSTRY',
  'PEP',
  'TRUSTED',
  'HACKING',
  'HUMAN_TRAFFICKING',
  'SPECIAL_MEASURES',
] as const;

/** A risk signal, and its place in the screening vendor's response. Guides print some values in lower case. */
const riskSignal = z.object({
  source: openEnum(['ADDRESS', 'BLOCKCHAIN', 'ASSET']),
  sourceValue: z.string(),
  riskScore: openEnum(RISK_SCORES),
  riskCategories: z.array(openEnum(RISK_CATEGORIES)),
  type: openEnum(['OWNERSHIP', 'COUNTERPARTY', 'INDIRECT']),
  signalSource: orNull(z.object({ rowId: z.string(), pointer: z.string() })),
});

/**
 * What screening found, and what to do. Act on the actions, not on the result next to them: an address may be
 * `APPROVED` and still need a review (docs/api-behavior.md#screening).
 */
export const screeningDecision = z.object({
  screeningDate: timestamp,
  ruleName: orNull(z.string()),
  actions: orNull(z.array(openEnum(RISK_ACTIONS))),
  reasons: orNull(z.array(riskSignal)),
});

export const addressScreening = z.object({
  result: openEnum(['APPROVED', 'DENIED']),
  decision: screeningDecision,
  /** The request's idempotency key. */
  id: z.string().optional(),
  address: z.string(),
  chain: openEnum(SCREENING_CHAINS),
  details: z
    .array(
      z.object({
        id: z.string(),
        vendor: z.string(),
        response: z.record(z.string(), z.unknown()),
        createDate: timestamp,
      }),
    )
    .optional(),
  alertId: orNull(z.string()),
});
