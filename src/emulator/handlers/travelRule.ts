import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { invalidField } from '../errors/invalidField';
import type { Handlers } from '../http/handler';
import { page } from '../requests/paging';
import { advise, missingData, type Reason } from '../travelRule/advice';
import { assetUsdValue, requireAddress, symbolOf, type TravelRuleAsset } from '../travelRule/assets';
import { findIncoming } from '../travelRule/incomingTransfers';
import { addMessage, complete, inboundMessage, transition, updateDetails } from '../travelRule/messages';
import { incompleteMessage, requireAddresses, requireData, vaspCounterparty } from '../travelRule/outgoingChecks';
import { verifyProof } from '../travelRule/ownershipProofs';
import type { MessageRow, TravelRuleMessage } from '../travelRule/state';
import type { Status } from '../travelRule/statuses';
import { addressTypeOf, type Counterparty, counterpartyOf, ownVasp } from '../travelRule/vasps';
import type { World } from '../world/world';
import { enveloped } from './complianceEnvelope';

/** The `status` of every successful response. */
const SUCCESS = { code: 0, message: 'Success', externalMessage: '', property: '', version: '1.0', errors: [] };

/** First status of a message, by the reason of the advice. Messages with another reason go to the destination's VASP. */
const FIRST_STATUS: Partial<Record<Reason, Status>> = {
  INTERNAL_TRANSFER: 'SAVED',
  NON_CUSTODIAL_WALLET: 'SAVED',
  BELOW_THRESHOLD: 'SAVED',
};

export const travelRule: Omit<Handlers<'compliance'>, 'screenAddress'> = {
  checkTravelRuleEligibility({ world, body }) {
    const { customerJurisdiction: jurisdiction, transactionAsset: asset, transactionAmount, destination } = body;
    requireAddresses(asset, { destination, origin: body.origin });
    const counterparty = counterpartyOf(world, { asset, address: destination });
    const advice = advise(world, { jurisdiction, value: assetUsdValue(asset, transactionAmount), counterparty });
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
    const counterparty =
      vaspCounterparty(world, body.beneficiaryVaspId) ?? counterpartyOf(world, { asset, address: destination });
    const advice = advise(world, {
      jurisdiction: customerJurisdiction,
      value: assetUsdValue(asset, amount),
      counterparty,
    });
    requireData(advice, missingData(advice.requiredTravelRuleData, ivms101));
    if (body.travelRuleId !== undefined) {
      const row = incompleteMessage(world, body.travelRuleId, { asset, amount, destination });
      complete(world, row, ivms101);
      return { body: presentSent(world, row) };
    }
    const row = addMessage(world, {
      fields: {
        transactionType: 'OUTBOUND',
        status: FIRST_STATUS[advice.reason] ?? 'NEW',
        customerJurisdiction,
        asset,
        amount,
        originAddress: body.origin,
        destinationAddress: destination,
        originatorVasp: ownVasp(customerJurisdiction),
        beneficiaryVasp: vaspOf(counterparty, customerJurisdiction),
        beneficiaryProof: proofOf(world, { asset, address: destination }),
        refId: body.refId,
      },
      ivms101,
      behaviour: counterparty.kind === 'hosted' ? counterparty.vasp.behaviour : 'silent',
    });
    return { status: 201, body: presentSent(world, row) };
  },

  receivePii({ world, body }) {
    const { message } =
      body.travelRuleId === undefined
        ? findIncoming(world, body)
        : { message: inboundMessage(world, body.travelRuleId, body.customerJurisdiction) };
    if (!message) throw new ApiErrorResponse(404, { message: 'Travel rule message not found' });
    return { body: enveloped(world, { ...message.resource, ivms101: message.ivms101 }) };
  },

  listTravelRuleMessages({ world, body, url }) {
    const { customerJurisdiction, transactionType, ...query } = body;
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.travelRule.messages.all(),
        idOf: ({ id }) => id,
        filter: ({ resource }) =>
          resource.customerJurisdiction === customerJurisdiction &&
          (transactionType === undefined || resource.transactionType === transactionType),
      },
    );
    return { headers, body: enveloped(world, { messages: rows.map(({ resource }) => resource) }) };
  },

  uploadOwnershipProof({ world, body }) {
    const { transactionAsset, address, type, proof } = body;
    requireAddress(transactionAsset, 'address', address);
    const verified = verifyProof(world, body);
    const createDate = world.clock.now().toISOString();
    const id = world.random.uuid();
    const binding = { symbol: symbolOf(transactionAsset), address };
    world.travelRule.setProof(binding, { id, type, proof, verified, createDate });
    return {
      status: 201,
      body: enveloped(world, { id, address, beneficiaryProof: { type, proof }, verified, createDate, status: SUCCESS }),
    };
  },

  updateTravelRuleMessage({ world, params, body }) {
    const row = world.travelRule.messages.get(params.travelRuleId);
    if (!row) throw new ApiErrorResponse(404, { message: 'Travel rule message not found' });
    const { status: to, reason, txHash } = body;
    if (to !== undefined) {
      const by = row.resource.transactionType === 'OUTBOUND' ? 'originator' : 'beneficiary';
      // Only `sendPii` makes a message SENT.
      if (to === 'SENT' && row.resource.status !== to) throw invalidStatusChange(row);
      transition(world, row, { by, to, reason, makeError: () => invalidStatusChange(row) });
    }
    updateDetails(world, row, { reason, txHash });
    return { body: presentSent(world, row) };
  },
};

function invalidStatusChange({ resource }: MessageRow): ApiErrorResponse {
  return invalidField('status', `cannot be set on a message that is ${resource.status}`);
}

function vaspOf(counterparty: Counterparty, jurisdiction: string): { id: string; name: string } | undefined {
  if (counterparty.kind === 'internal') return ownVasp(jurisdiction);
  if (counterparty.kind !== 'hosted') return undefined;
  const { id, name } = counterparty.vasp;
  return { id, name };
}

function proofOf(
  { travelRule }: World,
  { asset, address }: { asset: TravelRuleAsset; address: string },
): TravelRuleMessage['beneficiaryProof'] {
  const found = travelRule.proofOf({ symbol: symbolOf(asset), address });
  return found && { type: found.type, proof: found.proof };
}

/** The response of `sendPii` and of an update: the message, and the current advice. */
function presentSent(world: World, { id, resource }: MessageRow) {
  const { customerJurisdiction: jurisdiction, asset, amount, destinationAddress, beneficiaryVasp } = resource;
  const vasp = world.travelRule.vasps.get(beneficiaryVasp?.id ?? '');
  const counterparty: Counterparty = vasp
    ? { kind: 'hosted', vasp }
    : counterpartyOf(world, { asset, address: destinationAddress });
  const { matchedRules, ...advice } = advise(world, {
    jurisdiction,
    value: assetUsdValue(asset, amount),
    counterparty,
  });
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
