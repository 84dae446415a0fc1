import type { Ivms101 } from '../../api/contract/ivms101';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { canonicalAddress } from './assets';
import type { MessageRow, TravelRuleMessage } from './state';
import { type Behaviour, SENT_AFTER_MS, type Side, type Status, STEPS, TRANSITIONS, webhookType } from './statuses';

export interface NewMessage {
  fields: Omit<TravelRuleMessage, 'id' | 'createDate' | 'updateDate'>;
  ivms101?: Ivms101 | undefined;
  behaviour: Behaviour;
}

export function addMessage(world: World, { fields, ivms101, behaviour }: NewMessage): MessageRow {
  const id = world.random.uuid();
  const at = world.clock.now().toISOString();
  const row: MessageRow = { id, resource: { id, ...fields, createDate: at, updateDate: at }, ivms101, behaviour };
  world.travelRule.messages.add(row);
  world.webhooks.emit(webhookType(fields.status), row.resource);
  schedule(world, row);
  return row;
}

/**
 * One side changes a message. Setting the status that the message already has changes nothing, so an update can be
 * repeated.
 * @throws ApiErrorResponse created by `makeError` if the status does not allow the change to this side
 */
export function transition(
  world: World,
  row: MessageRow,
  {
    by,
    to,
    reason,
    makeError,
  }: { by: Side; to: Status; reason?: string | undefined; makeError: () => ApiErrorResponse },
): void {
  const { status } = row.resource;
  if (status === to) return;
  if (!TRANSITIONS[status][by].includes(to)) throw makeError();
  enter(world, row, to, reason);
}

/** Sets what is given and differs; repeating the same update changes nothing, not even `updateDate`. */
export function updateDetails(
  { clock }: World,
  row: MessageRow,
  details: { reason?: string | undefined; txHash?: string | undefined },
): void {
  const { reason = row.resource.reason, txHash = row.resource.txHash } = details;
  if (reason === row.resource.reason && txHash === row.resource.txHash) return;
  row.resource = { ...row.resource, reason, txHash, updateDate: clock.now().toISOString() };
}

/** The originator supplies the missing data: the message is sent again, and this time the other VASP accepts it. */
export function complete(world: World, row: MessageRow, ivms101: Ivms101): void {
  row.ivms101 = ivms101;
  row.behaviour = 'accept';
  enter(world, row, 'SENT');
}

/** From now on the other VASP takes no automatic action on the message. */
export function stopResponding(row: MessageRow): void {
  row.behaviour = 'silent';
  row.timer?.();
}

/** @throws ApiErrorResponse 404 the jurisdiction has no inbound message with this id */
export function inboundMessage({ travelRule }: World, id: string, jurisdiction: string): MessageRow {
  const row = travelRule.messages.get(id);
  if (row?.resource.transactionType !== 'INBOUND' || row.resource.customerJurisdiction !== jurisdiction) {
    throw new ApiErrorResponse(404, { message: 'Travel rule message not found' });
  }
  return row;
}

/** The inbound message about a transfer: matched by transaction hash if the message has one, else by addresses and amount. */
export function findInbound(
  { travelRule }: World,
  jurisdiction: string,
  transfer: { txHash?: string | undefined; origin?: string | undefined; destination: string; units: bigint },
): MessageRow | undefined {
  const same = (a: string | undefined, b: string | undefined) =>
    canonicalAddress(a ?? '') === canonicalAddress(b ?? '');
  const candidates = travelRule.messages
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
  world.webhooks.emit(webhookType(status), row.resource);
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
