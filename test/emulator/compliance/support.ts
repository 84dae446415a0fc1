import { randomUUID } from 'node:crypto';
import type { TestClient } from '../chain/support';
import { send } from '../core/support';

/** Published test addresses. */
export const US_EXCHANGE = '0x774d7851bbda86ed5314823758baf3840166a9f5';
export const SINGAPORE_EXCHANGE = '0x75658eea924fda66176a05ae7b328caccc907523';
export const SELF_HOSTED = '0xd639717dec24f56770aad40ad5414f80fa7f8d2';

/** Calls a travel-rule endpoint with the fields that all of them need. */
export function call({ world }: TestClient, name: string, body: object) {
  return send(world, 'POST', `/v1/w3s/compliance/travelRule/${name}`, { customerJurisdiction: 'US', ...body });
}

export function update({ world }: TestClient, id: string, body: object) {
  return send(world, 'PUT', `/v1/w3s/compliance/travelRule/${id}`, { idempotencyKey: randomUUID(), ...body });
}

/** Sends the data for 5,000 USDC from a natural person to a legal person at the exchange. */
export function sendPii(client: TestClient, body: object = {}) {
  return call(client, 'sendPii', {
    idempotencyKey: randomUUID(),
    transactionAsset: 'USDC',
    transactionAmount: '5000000000',
    destination: US_EXCHANGE,
    ivms101: payload(),
    ...body,
  });
}

export const HOME = {
  addressType: 'HOME',
  streetName: 'Rue de la Paix',
  buildingNumber: '12b',
  townName: 'Paris',
  country: 'FR',
};
export const naturalName = (primaryIdentifier: string, secondaryIdentifier?: string) => ({
  nameIdentifier: [{ primaryIdentifier, secondaryIdentifier, naturalPersonNameIdentifierType: 'LEGL' }],
});
export const legalName = (legalPersonName: string) => ({
  nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }],
});

export function payload(originator: object = {}, beneficiary: object = {}) {
  return {
    originator: {
      originatorPerson: [{ naturalPerson: { name: naturalName('Dupont', 'Anne'), geographicAddress: [HOME] } }],
      accountNumber: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
      ...originator,
    },
    beneficiary: {
      beneficiaryPerson: [{ legalPerson: { name: legalName('Sample Ltd') } }],
      accountNumber: [US_EXCHANGE],
      ...beneficiary,
    },
  };
}
