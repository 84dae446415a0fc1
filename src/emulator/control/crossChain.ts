import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { FINALITY, findDomain, isBasisPoints, USDC_DECIMALS } from '../../domain/cctp';
import { isDecimal, toBaseUnits } from '../../domain/money';
import { NOBODY, checkDomainAddress, fromBytes32, strangeToken, toBytes32 } from '../crossChain/addresses';
import { burn, delay, expire } from '../crossChain/burns';
import { failForwarding, forward } from '../crossChain/forwarding';
import { mint } from '../crossChain/mint';
import { blockchainOf, feesOf, leastFee, routeOf } from '../crossChain/routes';
import type { Burn, BurnRow } from '../crossChain/state';
import { worldMs } from '../duration';
import { Refusal } from '../refusal';
import { fixedAddress, fixedId } from '../tokensCatalogue';
import { newTxHash } from '../chains/blocks';
import type { World } from '../world';
import { control, type ControlTable } from './control';

const domain = z
  .number()
  .int()
  .refine((id) => findDomain(id) !== undefined, 'no domain has this number');
const units = z.string().regex(/^\d{1,77}$/, 'base units are needed, digits only');
const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)]);
const fee = z.string().refine(isBasisPoints, 'basis points are needed, at most six decimals');
const usdc = z.string().refine(isDecimal, 'whole tokens are needed, a decimal string');
const delays = { observeAfterMs: worldMs.optional(), attestAfterMs: worldMs.optional() };

const burnBody = z.strictObject({
  /** A new one by default; that of an earlier burn puts both into one transaction. */
  txHash: z.string().min(1).optional(),
  /** After the transaction's earlier ones by default. */
  logIndex: z.number().int().nonnegative().optional(),
  sourceDomain: domain,
  destinationDomain: domain,
  /** USDC of the source by default. */
  burnToken: z.string().optional(),
  /** Base units. */
  amount: units,
  mintRecipient: z.string(),
  messageSender: z.string().optional(),
  /** Nobody in particular by default. */
  destinationCaller: z.string().optional(),
  minFinalityThreshold: z.number().int().nonnegative().default(FINALITY.standard),
  maxFee: units.default('0'),
  hookData: hex.default('0x'),
  ...delays,
});

/** The cross-chain protocol's contracts, its attesters, and strangers who use them. */
export const crossChainControls: ControlTable = {
  'GET /attestationHost': control({
    summary: "An attestation host of the world's own, for callers that can't tell whose they are",
    run: async ({ apiKey }, _given, { hosts }) => ({ url: await hosts.urlOf(apiKey) }),
  }),
  'GET /burns': control({
    summary: 'All burns of the world, oldest first',
    run: ({ store }) => ({ burns: store.crossChain.burns.all().map(shown) }),
  }),
  'POST /burns': control({
    summary: 'Burns USDC on a source blockchain, now',
    body: burnBody,
    run: (world, { body }, { worlds }) => {
      const { observeAfterMs, attestAfterMs, ...given } = body;
      const wanted = readBurn(world, given);
      if (worlds.all().some((other) => other !== world && other.store.crossChain.holdsTransaction(wanted.txHash))) {
        throw new Refusal(409, {
          message: 'Another world has a burn of this txHash; without a key they would be mixed up',
        });
      }
      const fees = feesOf(world, wanted.sourceDomain, wanted.destinationDomain);
      if (wanted.maxFee < leastFee(fees, FINALITY.standard, wanted.amount)) {
        throw new Refusal(400, { message: 'The burn reverts: maxFee is below the least fee of a standard transfer' });
      }
      return shown(burn(world, wanted, { observeAfterMs, attestAfterMs }));
    },
  }),
  'POST /burns/{id}/delay': control({
    summary: 'When it is observed, or attested, counted from now',
    params: idParams,
    body: z.strictObject(delays),
    run: (world, { params, body }) => {
      const row = burnOf(world, params.id);
      delay(world, row, body);
      return shown(row);
    },
  }),
  'POST /burns/{id}/expire': control({
    summary: 'The block in which its fast attestation expires is reached',
    params: idParams,
    run: (world, { params }) => {
      const row = burnOf(world, params.id);
      if (row.state !== 'complete' || !row.fast) {
        throw new Refusal(409, { message: 'Only a fast attestation that is there can expire' });
      }
      expire(world, row);
      return shown(row);
    },
  }),
  'POST /burns/{id}/forward': control({
    summary: 'The forwarding service mints it after that time from now, or fails now',
    params: idParams,
    body: z.union([z.strictObject({ afterMs: worldMs }), z.strictObject({ fail: z.literal(true) })]),
    run: (world, { params, body }) => {
      const row = burnOf(world, params.id);
      const { forwarding } = row;
      if (forwarding?.state !== 'PENDING') throw new Refusal(409, { message: 'It is not waiting to be forwarded' });
      if ('fail' in body) failForwarding(forwarding);
      else if (row.attested) forward(world, row, forwarding, body.afterMs);
      else throw new Refusal(409, { message: 'Nothing can be forwarded before it is attested' });
      return shown(row);
    },
  }),
  'PUT /burnFees': control({
    summary: "A route's fees in basis points; those left out are as before, null is the route's own again",
    body: z.strictObject({
      sourceDomain: domain,
      destinationDomain: domain,
      fast: fee.nullable().optional(),
      standard: fee.nullable().optional(),
    }),
    run: (world, { body: { sourceDomain, destinationDomain, ...given } }) => {
      const { fees } = world.store.crossChain;
      const route = routeOf(sourceDomain, destinationDomain);
      const changed = Object.entries({ ...fees.get(route), ...given }).filter(([, value]) => value !== null);
      fees.set(route, Object.fromEntries(changed.filter(([, value]) => value !== undefined)));
      return feesOf(world, sourceDomain, destinationDomain);
    },
  }),
  'PUT /fastPool': control({
    summary: 'What is left for fast transfers now, and the most that one may have, in whole USDC',
    body: z.strictObject({ allowance: usdc.optional(), most: usdc.optional() }),
    run: ({ store, clock }, { body }) => {
      const { pool } = store.crossChain;
      if (body.allowance !== undefined) pool.limit = pool.used + toBaseUnits(body.allowance, USDC_DECIMALS);
      if (body.most !== undefined) pool.most = toBaseUnits(body.most, USDC_DECIMALS);
      pool.changedAt = clock.now();
    },
  }),
  'POST /mints': control({
    summary: 'Somebody calls receiveMessage on a destination: minted, or reverted with a reason',
    body: z.strictObject({ destinationDomain: domain, message: hex, attestation: hex, caller: z.string().optional() }),
    run: (world, { body }) => {
      if (body.caller !== undefined) checkAddresses([[body.destinationDomain, 'caller', body.caller]]);
      return mint(world, body);
    },
  }),
};

function readBurn(world: World, given: Omit<z.output<typeof burnBody>, keyof typeof delays>): Burn {
  const { sourceDomain: source, destinationDomain: destination, mintRecipient, destinationCaller } = given;
  if (source === destination) throw new Refusal(400, { message: 'destinationDomain: is the source' });
  const blockchain = blockchainOf(world, source);
  const {
    burnToken = (blockchain && world.store.tokens.get(fixedId(blockchain, 'USDC'))?.tokenAddress) ??
      strangeToken(source),
    messageSender = fixedAddress(blockchain ?? 'ETH', 'stranger'),
    txHash = newTxHash(world, blockchain ?? 'ETH'),
  } = given;
  checkAddresses([
    [source, 'burnToken', burnToken],
    [source, 'messageSender', messageSender],
    [destination, 'mintRecipient', mintRecipient],
    ...(destinationCaller === undefined ? [] : ([[destination, 'destinationCaller', destinationCaller]] as const)),
  ]);
  const earlier = world.store.crossChain.ofTransaction(source, txHash);
  const { logIndex = (earlier.at(-1)?.logIndex ?? -1) + 1 } = given;
  if (earlier.some((row) => row.logIndex === logIndex)) {
    throw new Refusal(409, { message: 'logIndex: the transaction has a burn there already' });
  }
  return {
    txHash,
    logIndex,
    sourceDomain: source,
    destinationDomain: destination,
    burnToken: toBytes32(source, burnToken),
    amount: BigInt(given.amount),
    mintRecipient: toBytes32(destination, mintRecipient),
    messageSender: toBytes32(source, messageSender),
    destinationCaller: destinationCaller === undefined ? NOBODY : toBytes32(destination, destinationCaller),
    minFinalityThreshold: given.minFinalityThreshold,
    maxFee: BigInt(given.maxFee),
    hookData: given.hookData,
  };
}

function checkAddresses(addresses: readonly (readonly [domain: number, field: string, address: string])[]): void {
  for (const [id, field, address] of addresses) {
    const problem = checkDomainAddress(id, address);
    if (problem) throw new Refusal(400, { message: `${field}: ${problem}` });
  }
}

function burnOf({ store }: World, id: string): BurnRow {
  const row = store.crossChain.burns.get(id);
  if (!row) throw new Refusal(404, { message: 'No burn has this id' });
  return row;
}

function shown(row: BurnRow) {
  const { id, txHash, logIndex, nonce, sourceDomain, destinationDomain, state, fast, delayReason, burnedAt } = row;
  return {
    id,
    txHash,
    logIndex,
    nonce,
    sourceDomain,
    destinationDomain,
    amount: String(row.amount),
    mintRecipient: fromBytes32(destinationDomain, row.mintRecipient),
    state,
    fast,
    delayReason,
    reattesting: row.reattesting,
    forwardState: row.forwarding?.state,
    burnedAt: burnedAt.toISOString(),
  };
}
