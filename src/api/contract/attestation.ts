import { z } from 'zod';
import { endpoint } from './endpoint';
import { openEnum, timestamp } from './schema';

/** A domain's number as it stands in a path. */
const domainId = z.string().regex(/^\d{1,10}$/, 'a domain number is needed');
const tokenParams = z.object({ token: z.string().min(1) });
const routeParams = tokenParams.extend({ sourceDomainId: domainId, destDomainId: domainId });
/** A text in one place, a number in another. */
const numeric = z.union([z.string(), z.number()]);

const decodedBody = z.object({
  burnToken: z.string().optional(),
  mintRecipient: z.string().optional(),
  /** Base units, as every number of a message a text. */
  amount: z.string().optional(),
  messageSender: z.string().optional(),
  maxFee: z.string().nullish(),
  feeExecuted: z.string().nullish(),
  /** A block of the destination; `0` never expires. */
  expirationBlock: z.string().nullish(),
  hookData: z.string().nullish(),
});

const decodedMessage = z.object({
  sourceDomain: z.string().optional(),
  destinationDomain: z.string().optional(),
  nonce: z.string().optional(),
  sender: z.string().optional(),
  recipient: z.string().optional(),
  destinationCaller: z.string().nullish(),
  minFinalityThreshold: z.string().nullish(),
  finalityThresholdExecuted: z.string().nullish(),
  messageBody: z.string().optional(),
  decodedMessageBody: decodedBody.nullish(),
});

/** What is not there yet is `0x`, `PENDING` or null: only real hex in `message` and `attestation` is ready (AT-04). */
const message = z.object({
  message: z.string().nullish(),
  eventNonce: z.string().nullish(),
  attestation: z.string().nullish(),
  decodedMessage: decodedMessage.nullish(),
  cctpVersion: numeric.optional(),
  status: openEnum(['pending_confirmations', 'complete']),
  delayReason: openEnum(['insufficient_fee', 'amount_above_max', 'insufficient_allowance_available']).nullish(),
  forwardState: openEnum(['PENDING', 'CONFIRMED', 'COMPLETE', 'FAILED']).nullish(),
  forwardTxHash: z.string().nullish(),
});

const feeTier = z.object({
  /** 1000 is fast, 2000 is standard. */
  finalityThreshold: z.number(),
  /** Basis points, with a fraction. */
  minimumFee: numeric,
  /** Base units, with `forward` only. */
  forwardFee: z.object({ low: numeric, med: numeric, high: numeric }).optional(),
});

/** Attestations of cross-chain transfers (api-facts 11), on a host of its own that takes no credentials. */
export const attestation = {
  getAttestationKeys: endpoint({
    method: 'GET',
    path: '/v2/publicKeys',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    response: z.object({ publicKeys: z.array(z.object({ publicKey: z.string(), cctpVersion: numeric })) }),
    errors: [400],
    summary: 'The public keys of the attesters',
  }),
  getAttestationMessages: endpoint({
    method: 'GET',
    path: '/v2/messages/{sourceDomainId}',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    params: z.object({ sourceDomainId: domainId }),
    query: z
      .object({ transactionHash: z.string().min(1).optional(), nonce: z.string().min(1).optional() })
      .refine(({ transactionHash, nonce }) => transactionHash !== undefined || nonce !== undefined, {
        path: ['transactionHash'],
        message: 'transactionHash or nonce is needed',
      }),
    response: z.object({ messages: z.array(message) }),
    errors: [400, 404],
    // Not observed yet: the burn is there, its attestation comes (field case AT-01).
    kinds: { 404: 'wait' },
    summary: 'Messages of a burn transaction or nonce, with their attestations once they are there',
  }),
  requestReattestation: endpoint({
    method: 'POST',
    path: '/v2/reattest/{nonce}',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'natural',
    params: z.object({ nonce: z.string().min(1) }),
    response: z.object({ message: z.string(), nonce: z.string() }),
    errors: [400, 404],
    // Final already, or not a fast one: the message tells.
    kinds: { 400: 'resolve' },
    summary: 'Starts to attest a fast message anew, as final',
  }),
  getFastBurnAllowance: endpoint({
    method: 'GET',
    path: '/v2/fastBurn/{token}/allowance',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    params: tokenParams,
    response: z.object({ allowance: z.number(), lastUpdated: timestamp }),
    errors: [400, 404],
    summary: 'What is left for fast transfers of all users, in whole tokens',
  }),
  getFastBurnFees: endpoint({
    method: 'GET',
    path: '/v2/fastBurn/{token}/fees/{sourceDomainId}/{destDomainId}',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    params: routeParams,
    response: z.object({ minimumFee: numeric }),
    errors: [400, 404],
    deprecated: true,
    summary: 'The fee of a fast transfer in basis points; getBurnFees tells both fees',
  }),
  getBurnFees: endpoint({
    method: 'GET',
    path: '/v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    params: routeParams,
    query: z.object({ forward: z.boolean().optional() }),
    // Published in an envelope, answered without one.
    response: z.union([z.array(feeTier), z.object({ data: z.array(feeTier) })]),
    errors: [400, 404],
    summary: 'Fees of a transfer by finality, in basis points',
  }),
};
