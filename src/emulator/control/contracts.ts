import type { AbiEvent, Hex } from 'viem';
import { z } from 'zod';
import { idParams, requestBlockchain } from '../../api/contract/schema';
import { checksumAddress } from '../../crypto/addresses';
import { CONTRACT_BLOCKCHAINS } from '../../domain/chains';
import { currentBlock, newTxHash } from '../chains/blocks';
import { codeAt } from '../chains/evm/code';
import { encodeLog, recordLogs, type RawLog } from '../chains/evm/logs';
import { parseAbiJson } from '../checks/abi';
import { abiValues } from '../checks/abiValues';
import { requireContractAddress } from '../checks/source';
import { findContract, findEventByHash, knownAbi, parseEventSignature } from '../contractLibrary';
import { accountOf } from '../ledger';
import { Refusal } from '../refusal';
import { TEMPLATES } from '../templates';
import type { World } from '../world';
import { control, type ControlTable } from './control';

const blockchain = z.enum(CONTRACT_BLOCKCHAINS);
const eventBody = z.strictObject({
  blockchain,
  contractAddress: z.string(),
  eventSignature: z.string(),
  /** Its arguments, in their order. */
  parameters: z.array(z.unknown()).default([]),
});

/** Contracts of strangers, what they log, and how the service's own nodes and templates are. */
export const contractControls: ControlTable = {
  'POST /contracts': control({
    summary: 'A stranger deploys a contract, whose code does nothing; with its ABI it is a verified one',
    body: z.strictObject({
      blockchain,
      address: z.string().optional(),
      abiJson: z.string().optional(),
      /** Makes it a proxy. */
      implementation: z.string().optional(),
    }),
    run: ({ store, random }, { body }) => {
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
      store.evm.code.set(accountOf(body.blockchain, address), code);
      return { blockchain: body.blockchain, address: code.address };
    },
  }),
  'POST /contracts/events': control({
    summary: 'A contract logs an event in a transaction of a stranger',
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
    summary: "The service can't reach the blockchain's nodes: no estimates, queries, imports and deployments",
    params: z.strictObject({ blockchain: requestBlockchain }),
    body: z.strictObject({ down: z.boolean() }),
    run: ({ store }, { params, body }) => {
      if (body.down) store.evm.outages.add(params.blockchain);
      else store.evm.outages.delete(params.blockchain);
    },
  }),
  'GET /templates': control({
    summary: 'The templates, their parameters and state',
    run: ({ store }) => ({
      templates: TEMPLATES.map(({ id, kind, parameters }) => ({
        id,
        kind,
        parameters,
        enabled: true,
        estimable: true,
        ...store.templateStates.get(id),
      })),
    }),
  }),
  'PUT /templates/{id}': control({
    summary: 'Whether a template can be deployed, and estimated',
    params: idParams,
    body: z.strictObject({ enabled: z.boolean().default(true), estimable: z.boolean().default(true) }),
    run: ({ store }, { params, body }) => {
      if (!TEMPLATES.some(({ id }) => id === params.id)) throw new Refusal(175201);
      store.templateStates.set(params.id, body);
    },
  }),
};

/** With the contract's own `indexed`, where its ABI is known; else with that of the signature as it was given. */
function readEvent(world: World, { contractAddress, ...body }: z.output<typeof eventBody>): RawLog {
  requireContractAddress(contractAddress);
  const wanted = parseEventSignature(body.eventSignature);
  if (!wanted) throw new Refusal(175303);
  const contract = findContract(world, body.blockchain, contractAddress);
  const abi = (contract && knownAbi(contract)) ?? codeAt(world, body.blockchain, contractAddress)?.abi ?? [];
  const event = findEventByHash(abi, wanted.hash) ?? wanted.event;
  const inputs = event.inputs.map((input, n) => ({ ...input, name: `_${n}` }));
  try {
    const values = abiValues(inputs, body.parameters);
    const args = Object.fromEntries(inputs.map(({ name }, n) => [name, values[n]]));
    return encodeLog(checksumAddress(contractAddress) as Hex, { ...event, inputs } as AbiEvent, args);
  } catch {
    throw new Refusal(2, { message: 'parameters: they do not fit the event' });
  }
}
