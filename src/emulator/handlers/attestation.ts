import { FINALITY, findDomain, normalizeNonce, USDC_DECIMALS } from '../../domain/cctp';
import { fromBaseUnits } from '../../domain/money';
import { fromBytes32 } from '../crossChain/addresses';
import { ATTESTER_KEYS } from '../crossChain/attesters';
import { isReattestable, reattest } from '../crossChain/burns';
import { FORWARD_FEE } from '../crossChain/forwardingTerms';
import { bodyOf, decodeMessage } from '../crossChain/message';
import { burnFeesOf } from '../crossChain/routes';
import type { BurnRow } from '../crossChain/state';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import type { World } from '../world/world';

const CCTP_VERSION = 2;
/** Placeholder for a nonce, message or attestation that does not exist yet. */
const EMPTY_BYTES = '0x';
const PENDING = 'PENDING';
const FORWARD_FEES = {
  low: Number(FORWARD_FEE.low),
  med: Number(FORWARD_FEE.med),
  high: Number(FORWARD_FEE.high),
};

export const attestation: Handlers<'attestation'> = {
  getAttestationKeys: () => ({
    body: { publicKeys: ATTESTER_KEYS.map((publicKey) => ({ publicKey, cctpVersion: CCTP_VERSION })) },
  }),
  getAttestationMessages: ({ world, params, query }) => {
    const rows = findMessages(world, Number(params.sourceDomainId), query).filter(({ state }) => state !== 'unseen');
    if (rows.length === 0) throw notFound();
    return { body: { messages: rows.map(presentMessage) } };
  },
  requestReattestation: ({ world, params }) => {
    const row = world.crossChain.findByNonce(nonceOf(params.nonce));
    if (!row?.attested) throw notFound();
    if (!isReattestable(row)) throw badRequest('The message is already final');
    reattest(world, row);
    return { body: { message: 'Re-attestation was requested', nonce: row.nonce } };
  },
  getFastBurnAllowance: ({ world, params }) => {
    checkToken(params.token);
    const { limit, used, changedAt = world.clock.now() } = world.crossChain.pool;
    const left = limit > used ? limit - used : 0n;
    return {
      body: { allowance: Number(fromBaseUnits(left, USDC_DECIMALS)), lastUpdated: changedAt.toISOString() },
    };
  },
  getFastBurnFees: ({ world, params }) => {
    const { fast } = routeFees(world, params);
    if (fast === undefined) throw notFound();
    return { body: { minimumFee: Number(fast) } };
  },
  getBurnFees: ({ world, params, query }) => {
    const { fast, standard } = routeFees(world, params);
    const tier = (finalityThreshold: number, fee: string) => ({
      finalityThreshold,
      minimumFee: Number(fee),
      ...(query.forward && { forwardFee: FORWARD_FEES }),
    });
    const tiers = [tier(FINALITY.standard, standard)];
    return { body: fast === undefined ? tiers : [tier(FINALITY.fast, fast), ...tiers] };
  },
};

/** Messages that match every given filter. A nonce finds nothing before the attestation. */
function findMessages(
  { crossChain }: World,
  sourceDomain: number,
  { transactionHash, nonce }: { transactionHash?: string | undefined; nonce?: string | undefined },
): BurnRow[] {
  const normalized = nonce === undefined ? undefined : nonceOf(nonce);
  const ofHash = transactionHash === undefined ? [] : crossChain.burnsIn(sourceDomain, transactionHash);
  if (normalized === undefined) return ofHash;
  const row = crossChain.findByNonce(normalized);
  if (!row?.attested || row.sourceDomain !== sourceDomain) return [];
  return transactionHash === undefined || ofHash.includes(row) ? [row] : [];
}

function routeFees(
  world: World,
  { token, sourceDomainId, destDomainId }: { token: string; sourceDomainId: string; destDomainId: string },
) {
  checkToken(token);
  const [source, destination] = [Number(sourceDomainId), Number(destDomainId)];
  if (!findDomain(source) || !findDomain(destination)) throw notFound();
  return burnFeesOf(world, source, destination);
}

function checkToken(token: string): void {
  if (token !== 'USDC') throw notFound();
}

function nonceOf(text: string): string {
  const nonce = normalizeNonce(text);
  if (nonce === undefined) throw badRequest('nonce: must be a number of at most 32 bytes');
  return nonce;
}

function notFound(): ApiErrorResponse {
  return new ApiErrorResponse(404, { message: 'Not found' });
}

function badRequest(message: string): ApiErrorResponse {
  return new ApiErrorResponse(400, { message });
}

function presentMessage({ state, attested, nonce, delayReason, forwarding }: BurnRow) {
  return {
    message: attested?.message ?? EMPTY_BYTES,
    eventNonce: attested ? nonce : EMPTY_BYTES,
    attestation: attested?.attestation ?? PENDING,
    decodedMessage: attested && presentContent(attested.message),
    cctpVersion: CCTP_VERSION,
    status: state,
    delayReason: delayReason ?? undefined,
    ...(forwarding && { forwardState: forwarding.state, forwardTxHash: forwarding.txHash }),
  };
}

/** The decoded fields of the message, all as strings. */
function presentContent(message: `0x${string}`) {
  const decoded = decodeMessage(message);
  if (!decoded) return undefined;
  const { sourceDomain: source, destinationDomain: destination } = decoded;
  return {
    sourceDomain: String(source),
    destinationDomain: String(destination),
    nonce: decoded.nonce,
    sender: fromBytes32(source, decoded.sender),
    recipient: fromBytes32(destination, decoded.recipient),
    destinationCaller: fromBytes32(destination, decoded.destinationCaller),
    minFinalityThreshold: String(decoded.minFinalityThreshold),
    finalityThresholdExecuted: String(decoded.finalityThresholdExecuted),
    messageBody: bodyOf(message),
    decodedMessageBody: {
      burnToken: fromBytes32(source, decoded.burnToken),
      mintRecipient: fromBytes32(destination, decoded.mintRecipient),
      amount: String(decoded.amount),
      messageSender: fromBytes32(source, decoded.messageSender),
      maxFee: String(decoded.maxFee),
      feeExecuted: String(decoded.feeExecuted),
      expirationBlock: String(decoded.expirationBlock),
      hookData: decoded.hookData,
    },
  };
}
