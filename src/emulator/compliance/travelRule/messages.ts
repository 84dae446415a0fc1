import type { Ivms101 } from '../../../api/contract/ivms101';
import { Refusal } from '../../refusal';
import type { World } from '../../world';
import type { Message, MessageRow } from '../state';
import { spellingOf } from './assets';
import { MOVES, SENT_AFTER_MS, STEPS, webhookOf, type Behaviour, type Side, type Status } from './statuses';

export interface Draft {
  shown: Omit<Message, 'id' | 'createDate' | 'updateDate'>;
  ivms101?: Ivms101 | undefined;
  behaviour: Behaviour;
}

export function addMessage(world: World, { shown, ivms101, behaviour }: Draft): MessageRow {
  const id = world.random.uuid();
  const at = world.clock.now().toISOString();
  const row: MessageRow = { id, resource: { id, ...shown, createDate: at, updateDate: at }, ivms101, behaviour };
  world.store.compliance.messages.add(row);
  world.webhooks.emit(webhookOf(shown.status), row.resource);
  schedule(world, row);
  return row;
}

/**
 * One side changes a message; setting the status that it has already changes nothing (field case WF-05).
 * @throws Refusal made by `refuse` when the side can't
 */
export function move(
  world: World,
  row: MessageRow,
  { by, to, reason, refuse }: { by: Side; to: Status; reason?: string | undefined; refuse: () => Refusal },
): void {
  const { status } = row.resource;
  if (status === to) return;
  if (!MOVES[status][by].includes(to)) throw refuse();
  enter(world, row, to, reason);
}

/** Writes down what is given and new; asked for again, nothing changes. */
export function note(
  { clock }: World,
  row: MessageRow,
  given: { reason?: string | undefined; txHash?: string | undefined },
): void {
  const { reason = row.resource.reason, txHash = row.resource.txHash } = given;
  if (reason === row.resource.reason && txHash === row.resource.txHash) return;
  row.resource = { ...row.resource, reason, txHash, updateDate: clock.now().toISOString() };
}

/** The originator's side gives the data that were missing: the message is sent again, and taken well this time. */
export function complete(world: World, row: MessageRow, ivms101: Ivms101): void {
  row.ivms101 = ivms101;
  row.behaviour = 'accept';
  enter(world, row, 'SENT');
}

/** The other VASP does nothing by itself from now on. */
export function silence(row: MessageRow): void {
  row.behaviour = 'silent';
  row.timer?.();
}

/** @throws Refusal 404 no such message of the jurisdiction, or it is no inbound one */
export function inboundMessage({ store }: World, id: string, jurisdiction: string): MessageRow {
  const row = store.compliance.messages.get(id);
  if (row?.resource.transactionType !== 'INBOUND' || row.resource.customerJurisdiction !== jurisdiction) {
    throw new Refusal(404, { message: 'Travel rule message not found' });
  }
  return row;
}

/** The message that came in about a transfer: by the hash that it names, else by addresses and amount. */
export function findInbound(
  { store }: World,
  jurisdiction: string,
  transfer: { txHash?: string | undefined; origin?: string | undefined; destination: string; units: bigint },
): MessageRow | undefined {
  const same = (a: string | undefined, b: string | undefined) => spellingOf(a ?? '') === spellingOf(b ?? '');
  const candidates = store.compliance.messages
    .all()
    .filter(({ resource }) => resource.transactionType === 'INBOUND' && resource.customerJurisdiction === jurisdiction);
  return candidates.findLast(({ resource }) =>
    resource.txHash === undefined
      ? same(resource.destinationAddress, transfer.destination) &&
        (resource.originAddress === undefined || same(resource.originAddress, transfer.origin)) &&
        BigInt(resource.amount) === transfer.units
      : same(resource.txHash, transfer.txHash),
  );
}

function enter(world: World, row: MessageRow, status: Status, reason?: string): void {
  row.resource = { ...row.resource, status, updateDate: world.clock.now().toISOString() };
  if (reason !== undefined) row.resource.reason = reason;
  world.webhooks.emit(webhookOf(status), row.resource);
  schedule(world, row);
}

function schedule(world: World, row: MessageRow): void {
  row.timer?.();
  const { transactionType, status, beneficiaryVasp } = row.resource;
  if (transactionType === 'INBOUND') return;
  const sending = status === 'NEW' && beneficiaryVasp ? { next: 'SENT' as const, afterMs: SENT_AFTER_MS } : undefined;
  const step = sending ?? STEPS[row.behaviour][status];
  if (step) row.timer = world.clock.after(step.afterMs, () => enter(world, row, step.next));
}
