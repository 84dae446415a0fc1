import { z } from 'zod';
import { country } from '../../api/contract/countries';
import { ivms101 } from '../../api/contract/ivms101';
import { TRAVEL_RULE_ASSETS } from '../../api/contract/travelRule';
import { idParams } from '../../api/contract/schema';
import { isDecimal } from '../../domain/money';
import { requireAddress, spellingOf } from '../compliance/travelRule/assets';
import { jurisdictionOf } from '../compliance/travelRule/jurisdictions';
import { addMessage, complete, move, silence } from '../compliance/travelRule/messages';
import { sampleData } from '../compliance/travelRule/sampleData';
import { BEHAVIOURS, MOVES, type Status } from '../compliance/travelRule/statuses';
import { ownVasp } from '../compliance/travelRule/vasps';
import type { MessageRow, VaspRow } from '../compliance/state';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { control, type Control, type ControlTable } from './control';

const usd = z.string().refine(isDecimal, 'US dollars are needed, a decimal string');
const addresses = z.array(z.string().min(1));
const vaspFields = { name: z.string().min(1), jurisdiction: country, addresses, behaviour: z.enum(BEHAVIOURS) };

/** What the VASP at the other end makes of a message. */
const ANSWERS: Readonly<Record<string, { to: Status; summary: string }>> = {
  claim: { to: 'CLAIMED', summary: 'CLAIMED: the address is one of its own' },
  verify: { to: 'VERIFIED', summary: 'VERIFIED: the data have been checked' },
  accept: { to: 'ACCEPTED', summary: 'ACCEPTED, for good' },
  deny: { to: 'DENIED', summary: 'DENIED, for good' },
  reject: { to: 'REJECTED', summary: 'REJECTED, for good: the address is none of its own' },
  incomplete: { to: 'INCOMPLETE', summary: 'INCOMPLETE: it wants more data, which sendPii gives' },
  unknown: { to: 'UNKNOWN', summary: 'UNKNOWN: its answer means nothing here' },
  cancel: { to: 'CANCELLED', summary: 'CANCELLED: it withdraws a message that came in' },
};

function answer(to: Status, summary: string): Control {
  return control({
    summary: `The other VASP: ${summary}`,
    params: idParams,
    body: z.strictObject({ reason: z.string().optional() }),
    run: (world, { params, body }) => {
      const row = messageOf(world, params.id);
      move(world, row, { by: otherSide(row), to, reason: body.reason, refuse: () => impossible(row, to) });
      return row.resource;
    },
  });
}

/** The other end of the travel rule: a counterparty that one can play, its directory, and the rules of countries. */
export const travelRuleControls: ControlTable = {
  'GET /travelRule': control({
    summary: 'All messages, oldest first, with the personal data and what the other VASP does by itself',
    run: ({ store }) => ({
      messages: store.compliance.messages
        .all()
        .map(({ resource, ivms101: data, behaviour }) => ({ ...resource, ivms101: data, behaviour })),
    }),
  }),
  'POST /travelRule/incoming': control({
    summary: 'Another VASP sends a message about money that is coming in',
    body: z.strictObject({
      customerJurisdiction: country,
      asset: z.enum(TRAVEL_RULE_ASSETS),
      /** Base units. */
      amount: z.string().regex(/^\d{1,78}$/),
      destination: z.string().min(1),
      origin: z.string().min(1).optional(),
      txHash: z.string().min(1).optional(),
      /** Of the directory; its first VASP by default. */
      vaspId: z.string().optional(),
      /** Somebody's by default; null for a message without any. */
      ivms101: ivms101.nullable().optional(),
    }),
    run: (world, { body }) => {
      const { customerJurisdiction, asset, amount, destination, origin, txHash } = body;
      requireAddress(asset, 'destination', destination);
      if (origin !== undefined) requireAddress(asset, 'origin', origin);
      const { id, name } = vaspById(world, body.vaspId ?? world.store.compliance.vasps.all()[0]!.id);
      const row = addMessage(world, {
        shown: {
          transactionType: 'INBOUND',
          status: 'SENT',
          customerJurisdiction,
          asset,
          amount,
          originAddress: origin,
          destinationAddress: destination,
          txHash,
          originatorVasp: { id, name },
          beneficiaryVasp: ownVasp(customerJurisdiction),
        },
        ivms101: body.ivms101 === null ? undefined : (body.ivms101 ?? sampleData(origin, destination)),
        behaviour: 'silent',
      });
      return row.resource;
    },
  }),
  ...Object.fromEntries(
    Object.entries(ANSWERS).map(([verb, { to, summary }]) => [`POST /travelRule/{id}/${verb}`, answer(to, summary)]),
  ),
  'POST /travelRule/{id}/complete': control({
    summary: 'The other VASP gives the data of an INCOMPLETE message that came in',
    params: idParams,
    body: z.strictObject({ ivms101: ivms101.optional() }),
    run: (world, { params, body }) => {
      const row = messageOf(world, params.id);
      const { transactionType, status, originAddress, destinationAddress } = row.resource;
      if (transactionType !== 'INBOUND' || status !== 'INCOMPLETE') throw impossible(row, 'SENT');
      complete(world, row, body.ivms101 ?? sampleData(originAddress, destinationAddress));
      return row.resource;
    },
  }),
  'POST /travelRule/{id}/silent': control({
    summary: 'The other VASP does nothing more with it by itself',
    params: idParams,
    run: (world, { params }) => {
      const row = messageOf(world, params.id);
      silence(row);
      return row.resource;
    },
  }),
  'GET /travelRule/vasps': control({
    summary: 'The directory of VASPs',
    run: ({ store }) => ({ vasps: store.compliance.vasps.all() }),
  }),
  'POST /travelRule/vasps': control({
    summary: 'Adds a VASP, the addresses that it holds, and what it does with messages by itself',
    body: z.strictObject({
      ...vaspFields,
      addresses: addresses.default([]),
      behaviour: vaspFields.behaviour.default('accept'),
    }),
    run: ({ store, random }, { body }) =>
      store.compliance.vasps.add({ id: random.uuid(), ...body, addresses: body.addresses.map(spellingOf) }),
  }),
  'PATCH /travelRule/vasps/{id}': control({
    summary: 'Changes a VASP; messages that it has already go on as they began',
    params: idParams,
    body: z.strictObject(vaspFields).partial(),
    run: (world, { params, body }) => {
      const changed = { ...body, ...(body.addresses && { addresses: body.addresses.map(spellingOf) }) };
      return Object.assign(vaspById(world, params.id), changed);
    },
  }),
  'GET /travelRule/thresholds/{jurisdiction}': control({
    summary: 'From how many US dollars on a country wants messages and proofs',
    params: z.strictObject({ jurisdiction: country }),
    run: (world, { params }) => {
      const { message, proof } = jurisdictionOf(world, params.jurisdiction);
      return { message, proof };
    },
  }),
  'PUT /travelRule/thresholds/{jurisdiction}': control({
    summary: "Changes them: those left out are the country's own; a proof of null is never wanted",
    params: z.strictObject({ jurisdiction: country }),
    body: z.strictObject({ message: usd.optional(), proof: usd.nullable().optional() }),
    run: (world, { params, body }) => {
      const given = Object.entries(body).filter(([, value]) => value !== undefined);
      world.store.compliance.thresholds.set(params.jurisdiction, Object.fromEntries(given));
      const { message, proof } = jurisdictionOf(world, params.jurisdiction);
      return { message, proof };
    },
  }),
};

/** Names of the controls that the other VASP can answer a message with as it is. */
export function answersTo(row: MessageRow): string[] {
  const { status, transactionType } = row.resource;
  const open = MOVES[status][otherSide(row)];
  const answers = Object.keys(ANSWERS).filter((verb) => open.includes(ANSWERS[verb]!.to));
  if (transactionType === 'INBOUND') return status === 'INCOMPLETE' ? [...answers, 'complete'] : answers;
  return row.behaviour === 'silent' || open.length === 0 ? answers : [...answers, 'silent'];
}

function otherSide({ resource }: MessageRow): 'originator' | 'beneficiary' {
  return resource.transactionType === 'OUTBOUND' ? 'beneficiary' : 'originator';
}

function impossible({ resource }: MessageRow, to: Status): Refusal {
  return new Refusal(409, {
    message: `The other VASP can't make an ${resource.transactionType} message ${to} that is ${resource.status}`,
  });
}

function messageOf({ store }: World, id: string): MessageRow {
  const row = store.compliance.messages.get(id);
  if (!row) throw new Refusal(404, { message: 'No travel-rule message has this id' });
  return row;
}

function vaspById({ store }: World, id: string): VaspRow {
  const row = store.compliance.vasps.get(id);
  if (!row) throw new Refusal(404, { message: 'No VASP has this id' });
  return row;
}
