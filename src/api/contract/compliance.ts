import { z } from 'zod';
import { endpoint, type Rule } from './endpoint';
import { ivms101 } from './ivms101';
import { INVALID_PARAMETER } from './rules';
import { either, openEnum, paging, timestamp, uuid } from './schema';
import { SCREENING_CHAINS, addressScreening } from './screening';
import {
  idempotencyKey,
  customerJurisdiction,
  asset,
  amount,
  destination,
  origin,
  txHash,
  transactionId,
  travelRuleId,
  Eligibility,
  Validity,
  Sent,
  proof,
  status,
  ID,
  ADDRESS,
  PROOF_TYPES,
  TRAVEL_RULE_STATUSES,
  travelRuleMessage,
} from './travelRule';

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

/** Screening of addresses and the travel rule (spec, Compliance; api-facts 9). */
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
      /** Any text: one that can't be screened is answered 280001. */
      chain: openEnum(SCREENING_CHAINS),
    }),
    rules: [[280001, ({ chain }) => !(SCREENING_CHAINS as readonly string[]).includes(chain)]],
    response: either(addressScreening),
    errors: [280002],
    summary: 'Screens an address: the decision, its actions and the signals behind it',
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
