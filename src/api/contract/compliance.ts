import { z } from 'zod';
import { endpoint, type Rule } from './endpoint';
import { ivms101 } from './ivms101';
import { INVALID_PARAMETER } from './rules';
import { either, openEnum, paging, rows, timestamp, uuid } from './schema';
import { addressScreening, SCREENING_CHAINS } from './screening';
import {
  ADDRESS,
  amount,
  asset,
  customerJurisdiction,
  destination,
  Eligibility,
  ID,
  idempotencyKey,
  origin,
  proof,
  PROOF_TYPES,
  Sent,
  status,
  transactionId,
  TRAVEL_RULE_STATUSES,
  travelRuleId,
  travelRuleMessage,
  txHash,
  Validity,
} from './travelRule';

interface Cursors {
  pageBefore?: string | undefined;
  pageAfter?: string | undefined;
}
const countDefined = (...values: unknown[]) => values.filter((value) => value !== undefined).length;

/** Rules for the cursors of a list that is requested with POST. */
const CURSOR_RULES: readonly Rule<Cursors>[] = [
  [156014, ({ pageBefore, pageAfter }) => [pageBefore, pageAfter].some((cursor) => cursor !== undefined && !uuid.safeParse(cursor).success)], // prettier-ignore
  [INVALID_PARAMETER, ({ pageBefore, pageAfter }) => countDefined(pageBefore, pageAfter) > 1],
];

/** Screening of addresses (docs/api-behavior.md#screening) and the travel rule (docs/api-behavior.md#travel-rule). */
export const compliance = {
  screenAddress: endpoint({
    method: 'POST',
    path: '/compliance/screening/addresses',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      address: z.string().min(1),
      /** Any string: for a chain that cannot be screened the API returns 280001. */
      chain: openEnum(SCREENING_CHAINS),
    }),
    rules: [[280001, ({ chain }) => !(SCREENING_CHAINS as readonly string[]).includes(chain)]],
    response: either(addressScreening),
    errors: [280002],
    summary: 'Screens an address and returns the decision, its actions and the risk signals behind it',
  }),
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
    summary: 'Checks whether a transfer may be made, and which personal data must be sent first',
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
        .meta({ description: 'The transaction as the blockchain shows it, if the API does not know it' })
        .optional(),
      travelRuleId: travelRuleId.optional(),
    }),
    rules: [
      [INVALID_PARAMETER, (body) => countDefined(body.transactionId, body.transactionInfo, body.travelRuleId) === 0],
    ],
    response: Validity,
    errors: [156003],
    summary: 'Checks whether an inbound transfer may be kept, by the message that came with it',
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
      ivms101: ivms101.meta({ description: 'Originator and beneficiary, as IVMS101' }),
      beneficiaryVaspId: z
        .string()
        .meta({
          description: 'VASP of the destination, if the customer named it; otherwise the API looks it up',
          examples: [ID],
        })
        .optional(),
      travelRuleId: travelRuleId
        .meta({
          description: 'An INCOMPLETE message that this data completes; without it, a new message is created',
          examples: [ID],
        })
        .optional(),
      refId: z
        .string()
        .max(255)
        .meta({ description: 'Your own reference; lists return it', examples: ['inv-42'] })
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
    rules: [[INVALID_PARAMETER, (body) => countDefined(body.transactionId, body.travelRuleId) === 0]],
    response: either(travelRuleMessage.extend({ ivms101: ivms101.optional() })),
    errors: [156003],
    summary: 'Returns the message of an inbound transfer with its personal data',
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
        description: 'Id of a message: returns the page before it. Cannot be combined with pageAfter',
        examples: [ID],
      }),
      pageAfter: paging.pageAfter.meta({
        description: 'Id of a message: returns the page after it. Cannot be combined with pageBefore',
        examples: [ID],
      }),
      pageSize: paging.pageSize.meta({ description: 'Messages per page: 1 to 50, 10 by default', examples: [10] }),
    }),
    rules: CURSOR_RULES,
    response: either(z.object({ messages: rows(travelRuleMessage) })),
    errors: [156012],
    summary: 'Lists the messages of a jurisdiction, newest first, without personal data',
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
          description: 'The signature in hex, the statement, or the URL of the picture, depending on the type',
          examples: [`0x${'1b'.repeat(65)}`],
        }),
      attestation: z
        .string()
        .min(1)
        .meta({
          description: 'The signed text, which must contain the address. Required with eip-191',
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
        /** Whether the signature was verified. Other types of proof are stored for a manual review. */
        verified: z.boolean(),
        createDate: timestamp,
        status,
      }),
    ),
    summary: 'Uploads a proof that a self-hosted address belongs to the customer',
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
          description: 'CANCELLED withdraws an outbound message; for an inbound message, the decision of your VASP',
          examples: ['CANCELLED'],
        })
        .optional(),
      reason: z
        .string()
        .max(255)
        .meta({ description: 'Reason, for the other VASP', examples: ['The customer cancelled the transfer'] })
        .optional(),
      txHash: txHash.optional(),
    }),
    rules: [[INVALID_PARAMETER, (body) => countDefined(body.status, body.reason, body.txHash) === 0]],
    response: Sent,
    errors: [156009],
    summary: 'Withdraws or answers a message, or adds the hash of its transaction',
  }),
};
