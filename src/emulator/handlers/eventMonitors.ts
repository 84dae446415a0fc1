import { checksumAddress } from '../../crypto/addresses';
import { sameAddress } from '../../domain/chains';
import { findContract, findEventByHash, knownAbi, parseEventSignature, requireUsable } from '../contracts/contracts';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { EventMonitorRow } from '../evm/state';
import type { Handlers } from '../http/handler';
import { page } from '../requests/paging';
import { requireContractAddress, requireKeyKind } from '../wallets/sender';
import type { World } from '../world/world';

/** The handlers of the API's endpoints for event monitors and logs (docs/api-behavior.md#contracts-and-event-monitors). */
export const eventMonitors: Pick<
  Handlers<'contracts'>,
  'listEventMonitors' | 'createEventMonitor' | 'updateEventMonitor' | 'deleteEventMonitor' | 'listEventLogs'
> = {
  listEventMonitors({ world, query, url }) {
    const { contractAddress, blockchain, eventSignature } = query;
    const hash = eventSignature === undefined ? undefined : (parseEventSignature(eventSignature)?.hash ?? '');
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.evm.eventMonitors.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        filter: ({ resource }) =>
          isAt(resource, blockchain, contractAddress) && (hash === undefined || resource.eventSignatureHash === hash),
      },
    );
    return { headers, body: { data: { eventMonitors: rows.map(({ resource }) => resource) } } };
  },

  createEventMonitor({ world, body }) {
    const { evm, random, clock } = world;
    const { blockchain } = body;
    requireKeyKind(world, blockchain);
    requireContractAddress(body.contractAddress);
    const contract = findContract(world, blockchain, body.contractAddress);
    if (!contract) throw new ApiErrorResponse(175001);
    requireUsable(world, contract);
    const parsed = parseEventSignature(body.eventSignature);
    const abi = knownAbi(contract);
    if (!parsed || (abi && !findEventByHash(abi, parsed.hash))) throw new ApiErrorResponse(175303);
    const { signature: eventSignature, hash: eventSignatureHash } = parsed;
    const contractAddress = checksumAddress(body.contractAddress);
    const isTaken = ({ resource }: EventMonitorRow) =>
      isAt(resource, blockchain, contractAddress) && resource.eventSignatureHash === eventSignatureHash;
    if (evm.eventMonitors.all().some(isTaken)) throw new ApiErrorResponse(175302);

    const id = random.uuid();
    const at = clock.now().toISOString();
    const event = { id, blockchain, contractAddress, eventSignature, eventSignatureHash };
    const resource = { ...event, isEnabled: true, createDate: at, updateDate: at };
    evm.eventMonitors.add({ id, resource });
    return { status: 201, body: { data: { eventMonitor: resource } } };
  },

  updateEventMonitor({ world, params, body }) {
    const row = monitorOf(world, params.id);
    row.resource = { ...row.resource, ...body, updateDate: world.clock.now().toISOString() };
    return { body: { data: { eventMonitor: row.resource } } };
  },

  /** Keeps the event logs of the contract. */
  deleteEventMonitor({ world, params }) {
    world.evm.eventMonitors.remove(monitorOf(world, params.id).id);
    return { body: undefined };
  },

  listEventLogs({ world, query, url }) {
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.evm.eventLogs.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.firstConfirmDate,
        filter: ({ resource }) => isAt(resource, query.blockchain, query.contractAddress),
      },
    );
    return { headers, body: { data: { eventLogs: rows.map(({ resource }) => resource) } } };
  },
};

/** @throws ApiErrorResponse 175301 unknown */
function monitorOf({ evm }: World, id: string): EventMonitorRow {
  const row = evm.eventMonitors.get(id);
  if (!row) throw new ApiErrorResponse(175301);
  return row;
}

function isAt(
  resource: { blockchain: string; contractAddress: string },
  blockchain: string | undefined,
  address: string | undefined,
): boolean {
  return (
    (blockchain === undefined || resource.blockchain === blockchain) &&
    (address === undefined || sameAddress(resource.blockchain, resource.contractAddress, address))
  );
}
