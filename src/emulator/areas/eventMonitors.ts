import { sameAddress } from '../../domain/chains';
import { checksumAddress } from '../../crypto/addresses';
import type { Handlers } from '../area';
import { requireContractAddress, requireKeyKind } from '../checks/source';
import { findContract, findEventByHash, knownAbi, parseEventSignature, requireUsable } from '../contractLibrary';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { EventMonitorRow } from '../store';
import type { World } from '../world';

/** The part of the contracts area that watches for events (api-facts 7). */
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
        rows: world.store.eventMonitors.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        keep: ({ resource }) =>
          isAt(resource, blockchain, contractAddress) && (hash === undefined || resource.eventSignatureHash === hash),
      },
    );
    return { headers, body: { data: { eventMonitors: rows.map(({ resource }) => resource) } } };
  },

  createEventMonitor({ world, body }) {
    const { store, random, clock } = world;
    const { blockchain } = body;
    requireKeyKind(world, blockchain);
    requireContractAddress(body.contractAddress);
    const contract = findContract(world, blockchain, body.contractAddress);
    if (!contract) throw new Refusal(175001);
    requireUsable(world, contract);
    const wanted = parseEventSignature(body.eventSignature);
    const abi = knownAbi(contract);
    if (!wanted || (abi && !findEventByHash(abi, wanted.hash))) throw new Refusal(175303);
    const { signature: eventSignature, hash: eventSignatureHash } = wanted;
    const contractAddress = checksumAddress(body.contractAddress);
    const isTaken = ({ resource }: EventMonitorRow) =>
      isAt(resource, blockchain, contractAddress) && resource.eventSignatureHash === eventSignatureHash;
    if (store.eventMonitors.all().some(isTaken)) throw new Refusal(175302);

    const id = random.uuid();
    const at = clock.now().toISOString();
    const what = { id, blockchain, contractAddress, eventSignature, eventSignatureHash };
    const resource = { ...what, isEnabled: true, createDate: at, updateDate: at };
    store.eventMonitors.add({ id, resource });
    return { status: 201, body: { data: { eventMonitor: resource } } };
  },

  updateEventMonitor({ world, params, body }) {
    const row = monitorOf(world, params.id);
    row.resource = { ...row.resource, ...body, updateDate: world.clock.now().toISOString() };
    return { body: { data: { eventMonitor: row.resource } } };
  },

  /** Its contract's event logs stay. */
  deleteEventMonitor({ world, params }) {
    world.store.eventMonitors.remove(monitorOf(world, params.id).id);
    return { body: undefined };
  },

  listEventLogs({ world, query, url }) {
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.store.eventLogs.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.firstConfirmDate,
        keep: ({ resource }) => isAt(resource, query.blockchain, query.contractAddress),
      },
    );
    return { headers, body: { data: { eventLogs: rows.map(({ resource }) => resource) } } };
  },
};

/** @throws Refusal 175301 */
function monitorOf({ store }: World, id: string): EventMonitorRow {
  const row = store.eventMonitors.get(id);
  if (!row) throw new Refusal(175301);
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
