import type { AbiEvent, Hex } from 'viem';
import { z } from 'zod';
import { idParams, requestBlockchain } from '../../api/contract/schema';
import { checksumAddress } from '../../crypto/addresses';
import { CONTRACT_BLOCKCHAINS } from '../../domain/chains';
import { currentBlock, newTxHash } from '../chains/blocks';
import { findContract, findEventByHash, knownAbi, parseEventSignature } from '../contracts/contracts';
import { TEMPLATES } from '../contracts/templates';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { parseAbiJson } from '../evm/abiJson';
import { abiValues } from '../evm/abiValues';
import { codeAt } from '../evm/contractCode';
import { encodeLog, type RawLog, recordLogs } from '../evm/logs';
import { accountOf } from '../ledger/ledger';
import { requireContractAddress } from '../wallets/sender';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

const blockchain = z.enum(CONTRACT_BLOCKCHAINS);
const eventBody = z.strictObject({
  blockchain,
  contractAddress: z.string(),
  eventSignature: z.string(),
  /** Arguments of the event, in order. */
  parameters: z.array(z.unknown()).default([]),
});

/** Contracts of third parties, the events that they log, and the state of the API's nodes and templates. */
export const contractControls: ControlTable = {
  'POST /contracts': control({
    summary: 'A third party deploys a contract whose code does nothing; with an ABI it is verified',
    body: z.strictObject({
      blockchain,
      address: z.string().optional(),
      abiJson: z.string().optional(),
      /** Makes it a proxy. */
      implementation: z.string().optional(),
    }),
    run: ({ evm, random }, { body }) => {
      const { address = `0x${Buffer.from(random.bytes(20)).toString('hex')}`, abiJson, implementation } = body;
      requireContractAddress(address);
      if (implementation !== undefined) requireContractAddress(implementation);
      const code = {
        kind: 'opaque' as const,
        blockchain: body.blockchain,
        address: checksumAddress(address) as Hex,
        abi: abiJson === undefined ? undefined : parseAbiJson(abiJson),
        implementation: implementation === undefined ? undefined : (checksumAddress(implementation) as Hex),
      };
      evm.code.set(accountOf(body.blockchain, address), code);
      return { blockchain: body.blockchain, address: code.address };
    },
  }),
  'POST /contracts/events': control({
    summary: 'A contract logs an event in an external transaction',
    body: eventBody,
    run: (world, { body }) => {
      const txHash = newTxHash(world, body.blockchain);
      const block = currentBlock(world, body.blockchain);
      const log = readEvent(world, body);
      recordLogs(world, [log], { blockchain: body.blockchain, txHash, userOpHash: '', block });
      return { txHash, ...block, topics: log.topics, data: log.data };
    },
  }),
  'POST /chains/{blockchain}/down': control({
    summary:
      "Cuts off or reconnects a blockchain's nodes; without them estimates, queries, imports and deployments fail",
    params: z.strictObject({ blockchain: requestBlockchain }),
    body: z.strictObject({ down: z.boolean() }),
    run: ({ evm }, { params, body }) => {
      if (body.down) evm.unreachable.add(params.blockchain);
      else evm.unreachable.delete(params.blockchain);
    },
  }),
  'GET /templates': control({
    summary: 'Lists the templates with their parameters and state',
    run: ({ contractLibrary }) => ({
      templates: TEMPLATES.map(({ id, kind, parameters }) => ({
        id,
        kind,
        parameters,
        enabled: true,
        estimable: true,
        ...contractLibrary.templateStates.get(id),
      })),
    }),
  }),
  'PUT /templates/{id}': control({
    summary: 'Sets whether a template can be deployed and estimated',
    params: idParams,
    body: z.strictObject({ enabled: z.boolean().default(true), estimable: z.boolean().default(true) }),
    run: ({ contractLibrary }, { params, body }) => {
      if (!TEMPLATES.some(({ id }) => id === params.id)) throw new ApiErrorResponse(175201);
      contractLibrary.templateStates.set(params.id, body);
    },
  }),
};

/** Uses the ABI's `indexed` flags if the contract's ABI is known, else those of the given signature. */
function readEvent(world: World, { contractAddress, ...body }: z.output<typeof eventBody>): RawLog {
  requireContractAddress(contractAddress);
  const parsed = parseEventSignature(body.eventSignature);
  if (!parsed) throw new ApiErrorResponse(175303);
  const contract = findContract(world, body.blockchain, contractAddress);
  const abi = (contract && knownAbi(contract)) ?? codeAt(world, body.blockchain, contractAddress)?.abi ?? [];
  const event = findEventByHash(abi, parsed.hash) ?? parsed.event;
  const inputs = event.inputs.map((input, n) => ({ ...input, name: `_${n}` }));
  try {
    const values = abiValues(inputs, body.parameters);
    const args = Object.fromEntries(inputs.map(({ name }, n) => [name, values[n]]));
    return encodeLog(checksumAddress(contractAddress) as Hex, { ...event, inputs } as AbiEvent, args);
  } catch {
    throw new ApiErrorResponse(2, { message: 'parameters: do not match the event' });
  }
}
