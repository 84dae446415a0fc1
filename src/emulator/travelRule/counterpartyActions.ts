import type { MessageRow } from './state';
import { type Side, type Status, TRANSITIONS } from './statuses';

/** What the other VASP can do with a message. */
export const COUNTERPARTY_ACTIONS: Readonly<Record<string, { to: Status; summary: string }>> = {
  claim: { to: 'CLAIMED', summary: 'claims the address as its own (CLAIMED)' },
  verify: { to: 'VERIFIED', summary: 'has checked the data (VERIFIED)' },
  accept: { to: 'ACCEPTED', summary: 'accepts the message (ACCEPTED, final)' },
  deny: { to: 'DENIED', summary: 'denies the message (DENIED, final)' },
  reject: { to: 'REJECTED', summary: 'rejects the message: the address is not its own (REJECTED, final)' },
  incomplete: { to: 'INCOMPLETE', summary: 'asks for more data, which sendPii supplies (INCOMPLETE)' },
  unknown: { to: 'UNKNOWN', summary: 'responds in a way that the API does not understand (UNKNOWN)' },
  cancel: { to: 'CANCELLED', summary: 'withdraws an incoming message (CANCELLED, final)' },
};

/** Names of the controls that the other VASP can apply to a message in its current status. */
export function availableActions(row: MessageRow): string[] {
  const { status, transactionType } = row.resource;
  const open = TRANSITIONS[status][counterpartySide(row)];
  const actions = Object.keys(COUNTERPARTY_ACTIONS).filter((verb) => open.includes(COUNTERPARTY_ACTIONS[verb]!.to));
  if (transactionType === 'INBOUND') return status === 'INCOMPLETE' ? [...actions, 'complete'] : actions;
  return row.behaviour === 'silent' || open.length === 0 ? actions : [...actions, 'silent'];
}

/** The side of the other VASP. */
export function counterpartySide({ resource }: MessageRow): Side {
  return resource.transactionType === 'OUTBOUND' ? 'beneficiary' : 'originator';
}
