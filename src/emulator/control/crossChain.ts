import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { FINALITY, findDomain, isBasisPoints, USDC_DECIMALS } from '../../domain/cctp';
import { isDecimal, toBaseUnits } from '../../domain/money';
import { newTxHash } from '../chains/blocks';
import { checkDomainAddress, fromBytes32, placeholderToken, toBytes32, ZERO_BYTES32 } from '../crossChain/addresses';
import { burnRevertReason } from '../crossChain/burnChecks';
import { burn, delay, expire } from '../crossChain/burns';
import { blockchainOf, burnFeesOf, routeKey } from '../crossChain/routes';
import type { Burn, BurnRow } from '../crossChain/state';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { failForwarding, forward } from '../forwarding/forwarding';
import { mint } from '../forwarding/mint';
import { worldMs } from '../kit/duration';
import { fixedAddress, fixedId } from '../ledger/tokenCatalog';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

const domain = z
  .number()
  .int()
  .refine((id) => findDomain(id) !== undefined, 'must be the number of a CCTP domain');
const units = z.string().regex(/^\d{1,77}$/, 'must be base units, digits only');
const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)]);
const fee = z.string().refine(isBasisPoints, 'must be basis points, with at most six decimals');
const usdc = z.string().refine(isDecimal, 'must be whole tokens, a decimal string');
/** The contract takes the threshold as a `uint32`. */
const MAX_UINT32 = 2 ** 32 - 1;
const delays = { observeAfterMs: worldMs.optional(), attestAfterMs: worldMs.optional() };

const burnBody = z.strictObject({
  /** A new hash by default. The hash of an earlier burn puts both burns into one transaction. */
  txHash: z.string().min(1).optional(),
  /** By default the index after the last burn of the transaction. */
  logIndex: z.number().int().nonnegative().optional(),
  sourceDomain: domain,
  destinationDomain: domain,
  /** The source's USDC by default. */
  burnToken: z.string().optional(),
  /** Base units. */
  amount: units,
  mintRecipient: z.string(),
  messageSender: z.string().optional(),
  /** Anyone may call by default. */
  destinationCaller: z.string().optional(),
  minFinalityThreshold: z.number().int().nonnegative().max(MAX_UINT32).default(FINALITY.standard),
  maxFee: units.default('0'),
  hookData: hex.default('0x'),
  ...delays,
});

/** The cross-chain protocol's contracts, its attesters, and third parties who use them. */
export const crossChainControls: ControlTable = {
  'GET /burns': control({
    summary: 'Lists all burns of the world, oldest first',
    run: ({ crossChain }) => ({ burns: crossChain.burns.all().map(presentBurn) }),
  }),
  'POST /burns': control({
    summary: 'Burns USDC on a source blockchain now',
    body: burnBody,
    run: (world, { body }, { worlds }) => {
      const { observeAfterMs, attestAfterMs, ...fields } = body;
      const newBurn = readBurn(world, fields);
      const reason = burnRevertReason(
        world,
        newBurn,
        toBytes32(newBurn.sourceDomain, usdcOf(world, newBurn.sourceDomain)),
      );
      if (reason !== undefined) throw new ApiErrorResponse(400, { message: `The burn reverts: ${reason}` });
      if (worlds.all().some((other) => other !== world && other.crossChain.hasTransaction(newBurn.txHash))) {
        throw new ApiErrorResponse(409, {
          message:
            'txHash: another world has a burn with this hash. Use another one: requests without an API key look it up',
        });
      }
      return presentBurn(burn(world, newBurn, { observeAfterMs, attestAfterMs }));
    },
  }),
  'POST /burns/{id}/delay': control({
    summary: 'Sets when the burn is observed or attested, counted from now',
    params: idParams,
    body: z.strictObject(delays),
    run: (world, { params, body }) => {
      const row = burnOf(world, params.id);
      delay(world, row, body);
      return presentBurn(row);
    },
  }),
  'POST /burns/{id}/expire': control({
    summary: "Expires the burn's fast attestation",
    params: idParams,
    run: (world, { params }) => {
      const row = burnOf(world, params.id);
      if (row.state !== 'complete' || !row.fast) {
        throw new ApiErrorResponse(409, { message: 'Only a burn with a complete fast attestation can expire' });
      }
      expire(world, row);
      return presentBurn(row);
    },
  }),
  'POST /burns/{id}/forward': control({
    summary: 'The forwarding service mints the burn after a time, or fails now',
    params: idParams,
    body: z.union([z.strictObject({ afterMs: worldMs }), z.strictObject({ fail: z.literal(true) })]),
    run: (world, { params, body }) => {
      const row = burnOf(world, params.id);
      const { forwarding } = row;
      if (forwarding?.state !== 'PENDING')
        throw new ApiErrorResponse(409, { message: 'The burn is not waiting to be forwarded' });
      if ('fail' in body) failForwarding(forwarding);
      else if (row.attested) forward(world, row, forwarding, body.afterMs);
      else throw new ApiErrorResponse(409, { message: 'The burn cannot be forwarded before it is attested' });
      return presentBurn(row);
    },
  }),
  'PUT /burnFees': control({
    summary: "Sets a route's fees in basis points; omitted fees stay unchanged, null restores the default",
    body: z.strictObject({
      sourceDomain: domain,
      destinationDomain: domain,
      fast: fee.nullable().optional(),
      standard: fee.nullable().optional(),
    }),
    run: (world, { body: { sourceDomain, destinationDomain, ...feeChanges } }) => {
      const { fees } = world.crossChain;
      const route = routeKey(sourceDomain, destinationDomain);
      const changed = Object.entries({ ...fees.get(route), ...feeChanges }).filter(([, value]) => value !== null);
      fees.set(route, Object.fromEntries(changed.filter(([, value]) => value !== undefined)));
      return burnFeesOf(world, sourceDomain, destinationDomain);
    },
  }),
  'PUT /fastPool': control({
    summary: 'Sets the remaining allowance for fast transfers and the maximum of one transfer, in whole USDC',
    body: z.strictObject({ allowance: usdc.optional(), most: usdc.optional() }),
    run: ({ crossChain, clock }, { body }) => {
      const { pool } = crossChain;
      if (body.allowance !== undefined) pool.limit = pool.used + toBaseUnits(body.allowance, USDC_DECIMALS);
      if (body.most !== undefined) pool.maxPerTransfer = toBaseUnits(body.most, USDC_DECIMALS);
      pool.changedAt = clock.now();
    },
  }),
  'POST /mints': control({
    summary: 'Calls receiveMessage on a destination: `minted`, or `reverted` with a reason',
    body: z.strictObject({ destinationDomain: domain, message: hex, attestation: hex, caller: z.string().optional() }),
    run: (world, { body }) => {
      if (body.caller !== undefined) checkAddresses([[body.destinationDomain, 'caller', body.caller]]);
      return mint(world, body);
    },
  }),
};

function readBurn(world: World, fields: Omit<z.output<typeof burnBody>, keyof typeof delays>): Burn {
  const { sourceDomain: source, destinationDomain: destination, mintRecipient, destinationCaller } = fields;
  const blockchain = blockchainOf(world, source);
  const {
    burnToken = usdcOf(world, source),
    messageSender = fixedAddress(blockchain ?? 'ETH', 'stranger'),
    txHash = newTxHash(world, blockchain ?? 'ETH'),
  } = fields;
  checkAddresses([
    [source, 'burnToken', burnToken],
    [source, 'messageSender', messageSender],
    [destination, 'mintRecipient', mintRecipient],
    ...(destinationCaller === undefined ? [] : ([[destination, 'destinationCaller', destinationCaller]] as const)),
  ]);
  const earlier = world.crossChain.burnsIn(source, txHash);
  const { logIndex = (earlier.at(-1)?.logIndex ?? -1) + 1 } = fields;
  if (earlier.some((row) => row.logIndex === logIndex)) {
    throw new ApiErrorResponse(409, { message: 'logIndex: the transaction already has a burn at this index' });
  }
  return {
    txHash,
    logIndex,
    sourceDomain: source,
    destinationDomain: destination,
    burnToken: toBytes32(source, burnToken),
    amount: BigInt(fields.amount),
    mintRecipient: toBytes32(destination, mintRecipient),
    messageSender: toBytes32(source, messageSender),
    destinationCaller: destinationCaller === undefined ? ZERO_BYTES32 : toBytes32(destination, destinationCaller),
    minFinalityThreshold: fields.minFinalityThreshold,
    maxFee: BigInt(fields.maxFee),
    hookData: fields.hookData,
  };
}

/** The address of a domain's USDC. */
function usdcOf(world: World, domainId: number): string {
  const blockchain = blockchainOf(world, domainId);
  const token = blockchain && world.store.tokens.get(fixedId(blockchain, 'USDC'));
  return token?.tokenAddress ?? placeholderToken(domainId);
}

function checkAddresses(addresses: readonly (readonly [domain: number, field: string, address: string])[]): void {
  for (const [id, field, address] of addresses) {
    const problem = checkDomainAddress(id, address);
    if (problem) throw new ApiErrorResponse(400, { message: `${field}: ${problem}` });
  }
}

function burnOf({ crossChain }: World, id: string): BurnRow {
  const row = crossChain.burns.get(id);
  if (!row) throw new ApiErrorResponse(404, { message: 'No burn has this id' });
  return row;
}

function presentBurn(row: BurnRow) {
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
