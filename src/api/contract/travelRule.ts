import { z } from 'zod';
import { country } from './countries';
import { endpoint, type Rule } from './endpoint';
import { ivms101 } from './ivms101';
import { INVALID_PARAMETER } from './rules';
import { either, openEnum, paging, timestamp, uuid } from './schema';

/**
 * The travel rule (api-facts 9; change history 2024-10-31, 2024-12-09, 2024-12-18: every field of a request has a
 * description and an example). What public sources don't tell is told in docs/emulator.md.
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

const ADDRESS = '0x774d7851bbda86ed5314823758baf3840166a9f5';
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
const ID = '36790743-b78d-4061-9558-1af9a9c837bd';

const idempotencyKey = uuid.meta({
  description: 'Key of the request: with the same key it is done once, however often it is sent',
  examples: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
});
const customerJurisdiction = country.meta({
  description: 'Country whose rules your VASP follows for this customer, ISO 3166-1 alpha-2',
  examples: ['FR'],
});
const asset = z
  .enum(TRAVEL_RULE_ASSETS)
  .meta({ description: 'What is transferred: a native token by its blockchain, or USDC', examples: ['ETH-SEPOLIA'] });
const amount = z
  .string()
  .regex(/^\d{1,78}$/)
  .meta({ description: 'Amount in the smallest unit of the asset, digits only', examples: ['9876543210123456789'] });
const destination = z
  .string()
  .min(1)
  .meta({ description: 'Address that receives', examples: [ADDRESS] });
const origin = z
  .string()
  .min(1)
  .meta({ description: 'Address that sends', examples: ['0x75658eea924fda66176a05ae7b328caccc907523'] });
const txHash = z
  .string()
  .min(1)
  .meta({ description: 'Hash of the transaction on the blockchain', examples: [HASH] });
const transactionId = uuid.meta({ description: 'Id of the transaction at the API', examples: [ID] });
const travelRuleId = uuid.meta({ description: 'Id of the travel-rule message', examples: [ID] });

const vasp = z.object({ id: z.string(), name: z.string() });
const rule = z.object({ name: z.string(), precedence: z.number().int() });
const addressType = openEnum(['HOSTED', 'UNHOSTED', 'UNKNOWN']);
const status = z.object({
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
  /** What the rule that decided wants to be sent; empty where no message is needed. */
  requiredTravelRuleData: z.array(z.string()),
  firedRule: rule.optional(),
  status,
};

const Eligibility = either(
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

const Validity = either(
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

/** Answer of `sendPii` and of an update; here the VASP's id is spelled `beneficiaryVASPId` (api-facts 9). */
const Sent = either(
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

const proof = z.object({ type: openEnum(PROOF_TYPES), proof: z.string() });

/** A message without the personal data: what lists and webhooks show. */
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

interface Cursors {
  pageBefore?: string | undefined;
  pageAfter?: string | undefined;
}
const given = (...values: unknown[]) => values.filter((value) => value !== undefined).length;

/** Cursors of a list that is asked for by POST (spec, Common conventions). */
const CURSOR_RULES: readonly Rule<Cursors>[] = [
  [156014, ({ pageBefore, pageAfter }) => [pageBefore, pageAfter].some((one) => one !== undefined && !uuid.safeParse(one).success)], // prettier-ignore
  [INVALID_PARAMETER, ({ pageBefore, pageAfter }) => given(pageBefore, pageAfter) > 1],
];

export const travelRule = {
  checkTravelRuleEligibility: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/eligibilityCheck',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      transactionAsset: asset,
      transactionAmount: amount,
      destination,
      customerJurisdiction,
      origin: origin.optional(),
    }),
    response: Eligibility,
    summary: 'Whether a transfer may be made, and what has to be sent about its people first',
  }),
  checkTravelRuleValidity: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/validityCheck',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      customerJurisdiction,
      transactionId: transactionId.optional(),
      transactionInfo: z
        .object({ amount, asset, destination, origin, txHash })
        .meta({ description: 'The transaction by what the blockchain shows of it, where the API does not know it' })
        .optional(),
      travelRuleId: travelRuleId.optional(),
    }),
    rules: [[INVALID_PARAMETER, (body) => given(body.transactionId, body.transactionInfo, body.travelRuleId) === 0]],
    response: Validity,
    errors: [156003],
    summary: 'Whether a transfer that came in may be kept, by the message that came with it',
  }),
  sendPii: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/sendPii',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey,
      customerJurisdiction,
      transactionAsset: asset,
      transactionAmount: amount,
      destination,
      origin: origin.optional(),
      ivms101: ivms101.meta({ description: 'Who sends and who is to receive, as IVMS101' }),
      beneficiaryVaspId: z
        .string()
        .meta({
          description: 'VASP of the destination, where the customer has named it; else the one that is found',
          examples: [ID],
        })
        .optional(),
      travelRuleId: travelRuleId
        .meta({ description: 'An INCOMPLETE message whose data these are; a new message without it', examples: [ID] })
        .optional(),
      refId: z
        .string()
        .max(255)
        .meta({ description: 'Your own reference, which lists show again', examples: ['inv-42'] })
        .optional(),
    }),
    response: Sent,
    summary: 'Sends the data of originator and beneficiary to the VASP of the destination',
  }),
  receivePii: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/receivePii',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      customerJurisdiction,
      transactionId: transactionId.optional(),
      travelRuleId: travelRuleId.optional(),
    }),
    rules: [[INVALID_PARAMETER, (body) => given(body.transactionId, body.travelRuleId) === 0]],
    response: either(travelRuleMessage.extend({ ivms101: ivms101.optional() })),
    errors: [156003],
    summary: 'The message that came with an incoming transfer, with its personal data',
  }),
  listTravelRuleMessages: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/messages',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      customerJurisdiction,
      transactionType: z
        .enum(['INBOUND', 'OUTBOUND'])
        .meta({ description: 'Only messages about transfers in this direction', examples: ['OUTBOUND'] })
        .optional(),
      pageBefore: paging.pageBefore.meta({
        description: 'Id of a message: the page before it. Not together with pageAfter',
        examples: [ID],
      }),
      pageAfter: paging.pageAfter.meta({
        description: 'Id of a message: the page after it. Not together with pageBefore',
        examples: [ID],
      }),
      pageSize: paging.pageSize.meta({ description: 'Messages on a page: 1 to 50, 10 by default', examples: [10] }),
    }),
    rules: CURSOR_RULES,
    response: either(z.object({ messages: z.array(travelRuleMessage) })),
    errors: [156012],
    summary: 'Lists the messages of a jurisdiction, newest first, without their personal data',
  }),
  uploadOwnershipProof: endpoint({
    method: 'POST',
    path: '/compliance/travelRule/uploadOwnershipProof',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey,
      transactionAsset: asset,
      address: z
        .string()
        .min(1)
        .meta({ description: 'The self-hosted address that the customer owns', examples: [ADDRESS] }),
      type: z.enum(PROOF_TYPES).meta({
        description: 'eip-191: a signature by the address; self-declaration: a statement; screenshot: a picture',
        examples: ['eip-191'],
      }),
      proof: z
        .string()
        .min(1)
        .meta({
          description: 'The signature in hex, the statement, or the URL of the picture, as the type says',
          examples: [`0x${'1b'.repeat(65)}`],
        }),
      attestation: z
        .string()
        .min(1)
        .meta({
          description: 'The text that was signed; it has to name the address. Required with eip-191',
          examples: [`I own ${ADDRESS}. Nonce 7f3a9c`],
        })
        .optional(),
    }),
    rules: [[INVALID_PARAMETER, (body) => body.type === 'eip-191' && body.attestation === undefined]],
    response: either(
      z.object({
        id: z.string(),
        address: z.string(),
        beneficiaryProof: proof,
        /** Whether it was verified by computing; other proofs are kept for people to look at. */
        verified: z.boolean(),
        createDate: timestamp,
        status,
      }),
    ),
    summary: 'Proves that a self-hosted address belongs to the customer',
  }),
  updateTravelRuleMessage: endpoint({
    method: 'PUT',
    path: '/compliance/travelRule/{travelRuleId}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'key',
    params: z.object({ travelRuleId: z.string() }),
    body: z.object({
      idempotencyKey,
      status: z
        .enum(TRAVEL_RULE_STATUSES)
        .meta({
          description: 'CANCELLED withdraws a message of yours; to one that came in, the answer of your VASP',
          examples: ['CANCELLED'],
        })
        .optional(),
      reason: z
        .string()
        .max(255)
        .meta({ description: 'Why, for the other VASP', examples: ['The customer has called the transfer back'] })
        .optional(),
      txHash: txHash.optional(),
    }),
    rules: [[INVALID_PARAMETER, (body) => given(body.status, body.reason, body.txHash) === 0]],
    response: Sent,
    errors: [156009],
    summary: 'Withdraws or answers a message, or tells it the hash of the transaction',
  }),
};
