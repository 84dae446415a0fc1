import { z } from 'zod';
import { country } from '../../api/contract/countries';
import { ivms101 } from '../../api/contract/ivms101';
import { idParams } from '../../api/contract/schema';
import { TRAVEL_RULE_ASSETS } from '../../api/contract/travelRule';
import { isDecimal } from '../../domain/money';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { canonicalAddress, requireAddress } from '../travelRule/assets';
import { COUNTERPARTY_ACTIONS, counterpartySide } from '../travelRule/counterpartyActions';
import { jurisdictionOf } from '../travelRule/jurisdictions';
import { addMessage, complete, stopResponding, transition } from '../travelRule/messages';
import { sampleData } from '../travelRule/sampleData';
import type { MessageRow, VaspRow } from '../travelRule/state';
import { BEHAVIOURS, type Status } from '../travelRule/statuses';
import { ownVasp } from '../travelRule/vasps';
import type { World } from '../world/world';
import { control, type Control, type ControlTable } from './control';

const usd = z.string().refine(isDecimal, 'must be US dollars, a decimal string');
const addresses = z.array(z.string().min(1));
const vaspFields = { name: z.string().min(1), jurisdiction: country, addresses, behaviour: z.enum(BEHAVIOURS) };

function counterpartyControl(to: Status, summary: string): Control {
  return control({
    summary: `The other VASP ${summary}`,
    params: idParams,
    body: z.strictObject({ reason: z.string().optional() }),
    run: (world, { params, body }) => {
      const row = messageOf(world, params.id);
      transition(world, row, {
        by: counterpartySide(row),
        to,
        reason: body.reason,
        makeError: () => invalidStatusChange(row, to),
      });
      return row.resource;
    },
  });
}

/** The other side of the travel rule: the counterparty VASP, the VASP directory, and the thresholds of countries. */
export const travelRuleControls: ControlTable = {
  'GET /travelRule': control({
    summary: "Lists all messages, oldest first, with their personal data and the other VASP's automatic reaction",
    run: ({ travelRule }) => ({
      messages: travelRule.messages
        .all()
        .map(({ resource, ivms101: data, behaviour }) => ({ ...resource, ivms101: data, behaviour })),
    }),
  }),
  'POST /travelRule/incoming': control({
    summary: 'Another VASP sends a message about an incoming transfer',
    body: z.strictObject({
      customerJurisdiction: country,
      asset: z.enum(TRAVEL_RULE_ASSETS),
      /** Base units. */
      amount: z.string().regex(/^\d{1,78}$/),
      destination: z.string().min(1),
      origin: z.string().min(1).optional(),
      txHash: z.string().min(1).optional(),
      /** The sending VASP; by default the first of the directory. */
      vaspId: z.string().optional(),
      /** Sample data by default; null for a message without personal data. */
      ivms101: ivms101.nullable().optional(),
    }),
    run: (world, { body }) => {
      const { customerJurisdiction, asset, amount, destination, origin, txHash } = body;
      requireAddress(asset, 'destination', destination);
      if (origin !== undefined) requireAddress(asset, 'origin', origin);
      const { id, name } = vaspById(world, body.vaspId ?? world.travelRule.vasps.all()[0]!.id);
      const row = addMessage(world, {
        fields: {
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
    Object.entries(COUNTERPARTY_ACTIONS).map(([verb, { to, summary }]) => [
      `POST /travelRule/{id}/${verb}`,
      counterpartyControl(to, summary),
    ]),
  ),
  'POST /travelRule/{id}/complete': control({
    summary: 'The other VASP supplies the missing data of an INCOMPLETE incoming message',
    params: idParams,
    body: z.strictObject({ ivms101: ivms101.optional() }),
    run: (world, { params, body }) => {
      const row = messageOf(world, params.id);
      const { transactionType, status, originAddress, destinationAddress } = row.resource;
      if (transactionType !== 'INBOUND' || status !== 'INCOMPLETE') throw invalidStatusChange(row, 'SENT');
      complete(world, row, body.ivms101 ?? sampleData(originAddress, destinationAddress));
      return row.resource;
    },
  }),
  'POST /travelRule/{id}/silent': control({
    summary: 'The other VASP takes no further automatic action on the message',
    params: idParams,
    run: (world, { params }) => {
      const row = messageOf(world, params.id);
      stopResponding(row);
      return row.resource;
    },
  }),
  'GET /travelRule/vasps': control({
    summary: 'Lists the VASPs of the directory',
    run: ({ travelRule }) => ({ vasps: travelRule.vasps.all() }),
  }),
  'POST /travelRule/vasps': control({
    summary: "Adds a VASP with its customers' addresses and its automatic reaction to messages",
    body: z.strictObject({
      ...vaspFields,
      addresses: addresses.default([]),
      behaviour: vaspFields.behaviour.default('accept'),
    }),
    run: ({ travelRule, random }, { body }) =>
      travelRule.vasps.add({ id: random.uuid(), ...body, addresses: body.addresses.map(canonicalAddress) }),
  }),
  'PATCH /travelRule/vasps/{id}': control({
    summary: 'Changes a VASP; messages to it that already exist keep the old behavior',
    params: idParams,
    body: z.strictObject(vaspFields).partial(),
    run: (world, { params, body }) => {
      const changed = { ...body, ...(body.addresses && { addresses: body.addresses.map(canonicalAddress) }) };
      return Object.assign(vaspById(world, params.id), changed);
    },
  }),
  'GET /travelRule/thresholds/{jurisdiction}': control({
    summary: 'Returns the US dollar amounts from which a country requires messages and proofs',
    params: z.strictObject({ jurisdiction: country }),
    run: (world, { params }) => {
      const { message, proof } = jurisdictionOf(world, params.jurisdiction);
      return { message, proof };
    },
  }),
  'PUT /travelRule/thresholds/{jurisdiction}': control({
    summary: "Changes a country's thresholds; omitted ones return to the default, proof null means never required",
    params: z.strictObject({ jurisdiction: country }),
    body: z.strictObject({ message: usd.optional(), proof: usd.nullable().optional() }),
    run: (world, { params, body }) => {
      const thresholds = Object.entries(body).filter(([, value]) => value !== undefined);
      world.travelRule.thresholds.set(params.jurisdiction, Object.fromEntries(thresholds));
      const { message, proof } = jurisdictionOf(world, params.jurisdiction);
      return { message, proof };
    },
  }),
};

function invalidStatusChange({ resource }: MessageRow, to: Status): ApiErrorResponse {
  return new ApiErrorResponse(409, {
    message: `The other VASP cannot change an ${resource.transactionType} message from ${resource.status} to ${to}`,
  });
}

function messageOf({ travelRule }: World, id: string): MessageRow {
  const row = travelRule.messages.get(id);
  if (!row) throw new ApiErrorResponse(404, { message: 'No travel-rule message has this id' });
  return row;
}

function vaspById({ travelRule }: World, id: string): VaspRow {
  const row = travelRule.vasps.get(id);
  if (!row) throw new ApiErrorResponse(404, { message: 'No VASP has this id' });
  return row;
}
