import { z } from 'zod';
import { country } from './countries';
import { either, openEnum, timestamp, uuid } from './schema';

/**
 * The travel rule (docs/api-behavior.md#travel-rule). By the change history of the API (2024-12-18), every field of a
 * request has a description and an example. docs/emulator.md#travel-rule covers what public sources leave open.
 */

export const TRAVEL_RULE_ASSETS = ['AVAX', 'ETH', 'MATIC', 'SOL', 'USDC', 'ETH-SEPOLIA'] as const;
export const TRAVEL_RULE_STATUSES = [
  'NEW',
  'SENT',
  'CLAIMED',
  'VERIFIED',
  'ACCEPTED',
  'DENIED',
  'CANCELLED',
  'INCOMPLETE',
  'SAVED',
  'REJECTED',
  'UNKNOWN',
] as const;
export const TRAVEL_RULE_REASONS = [
  'UNKNOWN_WALLET',
  'NON_CUSTODIAL_WALLET',
  'INTERNAL_TRANSFER',
  'BELOW_THRESHOLD',
  'TRAVEL_RULE_REQUIRED',
  'MESSAGE_MISSING',
  'MESSAGE_INCOMPLETE',
  'MESSAGE_CLOSED',
] as const;
export const TRAVEL_RULE_DATA = [
  'originator.name',
  'originator.accountNumber',
  'originator.geographicAddress',
  'beneficiary.name',
  'beneficiary.accountNumber',
] as const;
export const PROOF_TYPES = ['eip-191', 'self-declaration', 'screenshot'] as const;

export const ADDRESS = '0x774d7851bbda86ed5314823758baf3840166a9f5';
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
export const ID = '36790743-b78d-4061-9558-1af9a9c837bd';

export const idempotencyKey = uuid.meta({
  description: 'Requests with the same key are carried out once',
  examples: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
});
export const customerJurisdiction = country.meta({
  description: 'Country whose rules your VASP follows for this customer, ISO 3166-1 alpha-2',
  examples: ['FR'],
});
export const asset = z.enum(TRAVEL_RULE_ASSETS).meta({
  description: 'The transferred asset: a native token, named by its blockchain, or USDC',
  examples: ['ETH-SEPOLIA'],
});
export const amount = z
  .string()
  .regex(/^\d{1,78}$/)
  .meta({ description: 'Amount in the smallest unit of the asset, digits only', examples: ['9876543210123456789'] });
export const destination = z
  .string()
  .min(1)
  .meta({ description: 'Receiving address', examples: [ADDRESS] });
export const origin = z
  .string()
  .min(1)
  .meta({ description: 'Sending address', examples: ['0x75658eea924fda66176a05ae7b328caccc907523'] });
export const txHash = z
  .string()
  .min(1)
  .meta({ description: 'Hash of the transaction on the blockchain', examples: [HASH] });
export const transactionId = uuid.meta({ description: 'Id of the transaction at the API', examples: [ID] });
export const travelRuleId = uuid.meta({ description: 'Id of the travel-rule message', examples: [ID] });

const vasp = z.object({ id: z.string(), name: z.string() });
const rule = z.object({ name: z.string(), precedence: z.number().int() });
const addressType = openEnum(['HOSTED', 'UNHOSTED', 'UNKNOWN']);
export const status = z.object({
  /** 0 is success. */
  code: z.number().int(),
  message: z.string(),
  externalMessage: z.string(),
  property: z.string(),
  version: z.string(),
  errors: z.array(z.string()),
});

const advice = {
  recommendation: openEnum(['PROCEED_WITH_TRANSACTION', 'PREVENT_TRANSACTION']),
  reason: openEnum(TRAVEL_RULE_REASONS),
  /** The data that the deciding rule requires; empty if no message is needed. */
  requiredTravelRuleData: z.array(z.string()),
  firedRule: rule.optional(),
  status,
};

export const Eligibility = either(
  z.object({
    ...advice,
    matchedRules: z.array(rule),
    beneficiaryAddressType: addressType,
    beneficiaryVaspId: z.string().optional(),
    beneficiaryVaspName: z.string().optional(),
    originatorVaspId: z.string(),
    errors: z.array(z.string()),
  }),
);

export const Validity = either(
  z.object({
    ...advice,
    matchedRules: z.array(rule),
    originatorAddressType: addressType,
    originatorVaspId: z.string().optional(),
    originatorVaspName: z.string().optional(),
    beneficiaryVaspId: z.string(),
    errors: z.array(z.string()),
  }),
);

/** Response of `sendPii` and of an update. Only here the VASP's id is spelled `beneficiaryVASPId`. */
export const Sent = either(
  z.object({
    ...advice,
    travelRuleId: z.string(),
    travelRuleStatus: openEnum(TRAVEL_RULE_STATUSES),
    ruleMatches: z.array(rule),
    beneficiaryAddressType: addressType,
    beneficiaryVASPId: z.string().optional(),
    beneficiaryVaspName: z.string().optional(),
  }),
);

export const proof = z.object({ type: openEnum(PROOF_TYPES), proof: z.string() });

/** A message without personal data, as lists and webhooks show it. */
export const travelRuleMessage = z.object({
  id: z.string(),
  transactionType: openEnum(['INBOUND', 'OUTBOUND']),
  status: openEnum(TRAVEL_RULE_STATUSES),
  reason: z.string().optional(),
  customerJurisdiction: z.string(),
  asset: openEnum(TRAVEL_RULE_ASSETS),
  amount: z.string(),
  originAddress: z.string().optional(),
  destinationAddress: z.string(),
  originatorVasp: vasp.optional(),
  beneficiaryVasp: vasp.optional(),
  beneficiaryProof: proof.optional(),
  txHash: z.string().optional(),
  refId: z.string().optional(),
  createDate: timestamp,
  updateDate: timestamp,
});
