import { z } from 'zod';
import { endpoint } from './endpoint';
import { openEnum, orNull, rows, timestamp } from './schema';

/** The number of a domain, as a path segment. */
const domainId = z.string().regex(/^\d{1,10}$/, 'must be a domain number');
const tokenParams = z.object({ token: z.string().min(1) });
const routeParams = tokenParams.extend({ sourceDomainId: domainId, destDomainId: domainId });
/** Sources show these values as strings or as numbers. */
const numeric = z.union([z.string(), z.number()]);

const decodedBody = z.object({
  burnToken: z.string().optional(),
  mintRecipient: z.string().optional(),
  /** In base units. */
  amount: numeric.optional(),
  messageSender: z.string().optional(),
  maxFee: numeric.optional(),
  feeExecuted: numeric.optional(),
  /** A block number of the destination; `0` never expires. */
  expirationBlock: numeric.optional(),
  hookData: z.string().optional(),
});

/** For people: flows read `message` itself. */
const decodedMessage = z.object({
  sourceDomain: numeric.optional(),
  destinationDomain: numeric.optional(),
  nonce: numeric.optional(),
  sender: z.string().optional(),
  recipient: z.string().optional(),
  destinationCaller: z.string().optional(),
  minFinalityThreshold: numeric.optional(),
  finalityThresholdExecuted: numeric.optional(),
  messageBody: z.string().optional(),
  decodedMessageBody: decodedBody.optional(),
});

/** A message is ready once `message` and `attestation` are real hex. Until then, they are `0x`, `PENDING` or missing. */
const message = z.object({
  message: z.string().optional(),
  eventNonce: numeric.optional(),
  attestation: z.string().optional(),
  decodedMessage: orNull(decodedMessage),
  cctpVersion: numeric.optional(),
  status: openEnum(['pending_confirmations', 'complete']),
  delayReason: orNull(openEnum(['insufficient_fee', 'amount_above_max', 'insufficient_allowance_available'])),
  forwardState: openEnum(['PENDING', 'CONFIRMED', 'COMPLETE', 'FAILED']).optional(),
  forwardTxHash: z.string().optional(),
});

const feeTier = z.object({
  /** 1000 is fast, 2000 is standard. */
  finalityThreshold: z.number(),
  /** Basis points; may have a fraction. */
  minimumFee: numeric,
  /** Base units; only with `forward`. The API sends `med`, its document says `medium`. */
  forwardFee: z.object({ low: numeric, med: numeric.optional(), medium: numeric.optional(), high: numeric }).optional(),
});

/**
 * Attestations of cross-chain transfers (docs/api-behavior.md#cross-chain-attestations). Their host takes no
 * credentials.
 */
export const attestation = {
  getAttestationKeys: endpoint({
    method: 'GET',
    path: '/v2/publicKeys',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    response: z.object({ publicKeys: rows(z.object({ publicKey: z.string(), cctpVersion: numeric })) }),
    errors: [400],
    summary: 'Lists the public keys of the attesters',
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
        message: 'transactionHash or nonce is required',
      }),
    response: z.object({ messages: rows(message) }),
    errors: [400, 404],
    // The API has not observed the burn yet; its attestation follows.
    kinds: { 404: 'wait' },
    summary: 'Lists the messages of a burn transaction or nonce, with attestations once they exist',
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
    // The message is already final, or was not a fast one. Read it again to find out.
    kinds: { 400: 'resolve' },
    summary: 'Requests a new attestation of a fast message, as final',
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
    summary: 'Returns what remains for fast transfers of all users, in whole tokens',
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
    summary: 'Returns the fee of a fast transfer in basis points; getBurnFees returns both fees',
  }),
  getBurnFees: endpoint({
    method: 'GET',
    path: '/v2/burn/{token}/fees/{sourceDomainId}/{destDomainId}',
    auth: 'none',
    limit: 'attestation',
    idempotency: 'repeatable',
    params: routeParams,
    query: z.object({ forward: z.boolean().optional() }),
    // The OpenAPI document shows the envelope; the official client expects a bare array.
    response: z.union([z.array(feeTier), z.object({ data: z.array(feeTier) })]),
    errors: [400, 404],
    summary: 'Returns the fees of a transfer by finality, in basis points',
  }),
};
