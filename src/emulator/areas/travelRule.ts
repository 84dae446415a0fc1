import type { Handlers } from '../area';
import { enveloped } from '../compliance/envelope';
import { advise, missingData, type Reason } from '../compliance/travelRule/advice';
import { assetValue, requireAddress, spellingOf } from '../compliance/travelRule/assets';
import { findIncoming } from '../compliance/travelRule/incoming';
import { addMessage, complete, inboundMessage, move, note } from '../compliance/travelRule/messages';
import { incompleteMessage, namedVasp, requireAddresses, requireData } from '../compliance/travelRule/outgoing';
import { verifyProof } from '../compliance/travelRule/proofs';
import type { Message, MessageRow } from '../compliance/state';
import type { Status } from '../compliance/travelRule/statuses';
import { addressTypeOf, counterpartyOf, ownVasp, type Counterparty } from '../compliance/travelRule/vasps';
import { fieldRefusal } from '../fieldRefusal';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { World } from '../world';

/** The `status` of every answer that is no refusal (api-facts 9). */
const SUCCESS = { code: 0, message: 'Success', externalMessage: '', property: '', version: '1.0', errors: [] };

/** What becomes of data that are sent, by what the rules say; the others go to the VASP of the destination. */
const FIRST_STATUS: Partial<Record<Reason, Status>> = {
  INTERNAL_TRANSFER: 'SAVED',
  NON_CUSTODIAL_WALLET: 'SAVED',
  BELOW_THRESHOLD: 'SAVED',
};

export const travelRule: Omit<Handlers<'compliance'>, 'screenAddress'> = {
  checkTravelRuleEligibility({ world, body }) {
    const { customerJurisdiction: jurisdiction, transactionAsset: asset, transactionAmount, destination } = body;
    requireAddresses(asset, { destination, origin: body.origin });
    const counterparty = counterpartyOf(world, asset, destination);
    const advice = advise(world, { jurisdiction, value: assetValue(asset, transactionAmount), counterparty });
    const vasp = vaspOf(counterparty, jurisdiction);
    return {
      body: enveloped(world, {
        ...advice,
        beneficiaryAddressType: addressTypeOf(counterparty),
        beneficiaryVaspId: vasp?.id,
        beneficiaryVaspName: vasp?.name,
        originatorVaspId: ownVasp(jurisdiction).id,
        errors: [],
        status: SUCCESS,
      }),
    };
  },

  checkTravelRuleValidity({ world, body }) {
    const { customerJurisdiction: jurisdiction } = body;
    const { value, counterparty, message } = findIncoming(world, body);
    const advice = advise(world, { jurisdiction, value, counterparty, incoming: { message } });
    const vasp = message?.resource.originatorVasp ?? vaspOf(counterparty, jurisdiction);
    return {
      body: enveloped(world, {
        ...advice,
        originatorAddressType: addressTypeOf(counterparty),
        originatorVaspId: vasp?.id,
        originatorVaspName: vasp?.name,
        beneficiaryVaspId: ownVasp(jurisdiction).id,
        errors: [],
        status: SUCCESS,
      }),
    };
  },

  sendPii({ world, body }) {
    const { customerJurisdiction, transactionAsset: asset, transactionAmount: amount, destination, ivms101 } = body;
    requireAddresses(asset, { destination, origin: body.origin });
    const counterparty = namedVasp(world, body.beneficiaryVaspId) ?? counterpartyOf(world, asset, destination);
    const advice = advise(world, {
      jurisdiction: customerJurisdiction,
      value: assetValue(asset, amount),
      counterparty,
    });
    requireData(advice, missingData(advice.requiredTravelRuleData, ivms101));
    if (body.travelRuleId !== undefined) {
      const row = incompleteMessage(world, body.travelRuleId, { asset, amount, destination });
      complete(world, row, ivms101);
      return { body: sent(world, row) };
    }
    const row = addMessage(world, {
      shown: {
        transactionType: 'OUTBOUND',
        status: FIRST_STATUS[advice.reason] ?? 'NEW',
        customerJurisdiction,
        asset,
        amount,
        originAddress: body.origin,
        destinationAddress: destination,
        originatorVasp: ownVasp(customerJurisdiction),
        beneficiaryVasp: vaspOf(counterparty, customerJurisdiction),
        beneficiaryProof: proofOf(world, destination),
        refId: body.refId,
      },
      ivms101,
      behaviour: counterparty.kind === 'hosted' ? counterparty.vasp.behaviour : 'silent',
    });
    return { status: 201, body: sent(world, row) };
  },

  receivePii({ world, body }) {
    const { message } =
      body.travelRuleId === undefined
        ? findIncoming(world, body)
        : { message: inboundMessage(world, body.travelRuleId, body.customerJurisdiction) };
    if (!message) throw new Refusal(404, { message: 'Travel rule message not found' });
    return { body: enveloped(world, { ...message.resource, ivms101: message.ivms101 }) };
  },

  listTravelRuleMessages({ world, body, url }) {
    const { customerJurisdiction, transactionType, ...query } = body;
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.store.compliance.messages.all(),
        idOf: ({ id }) => id,
        keep: ({ resource }) =>
          resource.customerJurisdiction === customerJurisdiction &&
          (transactionType === undefined || resource.transactionType === transactionType),
      },
    );
    return { headers, body: enveloped(world, { messages: rows.map(({ resource }) => resource) }) };
  },

  uploadOwnershipProof({ world, body }) {
    const { transactionAsset, address, type, proof } = body;
    requireAddress(transactionAsset, 'address', address);
    const verified = verifyProof(body);
    const createDate = world.clock.now().toISOString();
    const id = world.random.uuid();
    world.store.compliance.proofs.set(spellingOf(address), { id, type, proof, verified, createDate });
    return {
      status: 201,
      body: enveloped(world, { id, address, beneficiaryProof: { type, proof }, verified, createDate, status: SUCCESS }),
    };
  },

  updateTravelRuleMessage({ world, params, body }) {
    const row = world.store.compliance.messages.get(params.travelRuleId);
    if (!row) throw new Refusal(404, { message: 'Travel rule message not found' });
    const { status: to, reason, txHash } = body;
    if (to !== undefined) {
      const by = row.resource.transactionType === 'OUTBOUND' ? 'originator' : 'beneficiary';
      // Data are sent by `sendPii`, not by saying so.
      if (to === 'SENT' && row.resource.status !== to) throw impossible(row);
      move(world, row, { by, to, reason, refuse: () => impossible(row) });
    }
    note(world, row, { reason, txHash });
    return { body: sent(world, row) };
  },
};

function impossible({ resource }: MessageRow): Refusal {
  return fieldRefusal('status', `can't be set on a message that is ${resource.status}`);
}

function vaspOf(counterparty: Counterparty, jurisdiction: string): { id: string; name: string } | undefined {
  if (counterparty.kind === 'internal') return ownVasp(jurisdiction);
  if (counterparty.kind !== 'hosted') return undefined;
  const { id, name } = counterparty.vasp;
  return { id, name };
}

function proofOf({ store }: World, address: string): Message['beneficiaryProof'] {
  const found = store.compliance.proofs.get(spellingOf(address));
  return found && { type: found.type, proof: found.proof };
}

/** The message as `sendPii` and an update answer it, with what the rules say now. */
function sent(world: World, { id, resource }: MessageRow) {
  const { customerJurisdiction: jurisdiction, asset, amount, destinationAddress, beneficiaryVasp } = resource;
  const vasp = world.store.compliance.vasps.get(beneficiaryVasp?.id ?? '');
  const counterparty: Counterparty = vasp ? { kind: 'hosted', vasp } : counterpartyOf(world, asset, destinationAddress);
  const { matchedRules, ...advice } = advise(world, { jurisdiction, value: assetValue(asset, amount), counterparty });
  return enveloped(world, {
    ...advice,
    travelRuleId: id,
    travelRuleStatus: resource.status,
    ruleMatches: matchedRules,
    beneficiaryAddressType: addressTypeOf(counterparty),
    beneficiaryVASPId: beneficiaryVasp?.id,
    beneficiaryVaspName: beneficiaryVasp?.name,
    status: SUCCESS,
  });
}
