import { z } from 'zod';
import { AREAS } from '../../../src/api/contract';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { HOME, legalName, naturalName, payload, sendPii } from './support';

afterAll(closeOwnEmulator);

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.open();
});

const NATURAL = { name: naturalName('Dupont'), geographicAddress: [HOME] };
const LEGAL = { name: legalName('Exemple SARL'), geographicAddress: [HOME] };
const LEI = '529900T8BM49AURSDO55';
const natural = (more: object) => ({ originatorPerson: [{ naturalPerson: { ...NATURAL, ...more } }] });
const legal = (more: object) => ({ originatorPerson: [{ legalPerson: { ...LEGAL, ...more } }] });
const register = (more: object) =>
  legal({ nationalIdentification: { nationalIdentifier: 'X-CANARY-77', nationalIdentifierType: 'RAID', ...more } });
const authority = { registrationAuthority: 'RA000189' };

test.each<[string, object]>([
  ['a natural person with a passport', natural({ nationalIdentification: { nationalIdentifier: '12AB', nationalIdentifierType: 'CCPT', countryOfIssue: 'FR' } })], // prettier-ignore
  ['a natural person by birth', natural({ geographicAddress: undefined, dateAndPlaceOfBirth: { dateOfBirth: '1987-03-09', placeOfBirth: 'Lyon' } })], // prettier-ignore
  ['a legal person with a register', register(authority)],
  ['a legal person with an LEI', register({ nationalIdentifier: LEI, nationalIdentifierType: 'LEIX' })],
  ['an address in lines', natural({ geographicAddress: [{ addressType: 'GEOG', addressLine: ['12b Rue'], townName: 'Paris', country: 'XX' }] })], // prettier-ignore
  ['a name of a hundred characters of two units', natural({ name: naturalName('𠮷'.repeat(100)) })],
  ['names with joiners, apostrophes and a character of two units', natural({ name: naturalName("O'Néill-\u0645\u06cc\u200c\u062e", '𠮷') })], // prettier-ignore
  ['a local name beside the legal one', natural({ name: { ...naturalName('Yamada'), localNameIdentifier: [{ primaryIdentifier: '山田', naturalPersonNameIdentifierType: 'MISC' }] } })], // prettier-ignore
])('%s is valid', async (_, originator) => {
  // Singapore requires no address.
  expect(await sendPii(client, { customerJurisdiction: 'SG', ivms101: payload(originator) })).toMatchObject({
    status: 201,
  });
});

/** Each error names the field and does not repeat the value. */
test.each<[string, string, string, object]>([
  ['an LEI with an authority', 'nationalIdentification.registrationAuthority', 'not_required', register({ nationalIdentifier: LEI, nationalIdentifierType: 'LEIX', ...authority })], // prettier-ignore
  ['another id without an authority', 'nationalIdentification.registrationAuthority', 'required', register({})],
  ['a legal person with a country of issue', 'nationalIdentification.countryOfIssue', 'not_required', register({ ...authority, countryOfIssue: 'FR' })], // prettier-ignore
  ['a malformed authority', 'nationalIdentification.registrationAuthority', 'pattern_mismatch', register({ registrationAuthority: 'RA1' })], // prettier-ignore
  ['an LEI with wrong check digits', 'nationalIdentification.nationalIdentifier', 'pattern_mismatch', register({ nationalIdentifier: '529900T8BM49AURSDO56', nationalIdentifierType: 'LEIX' })], // prettier-ignore
  ['an id of natural persons', 'nationalIdentification.nationalIdentifierType', 'invalid_value', register({ nationalIdentifierType: 'CCPT' })], // prettier-ignore
  ['no legal name', 'name.nameIdentifier', 'required', natural({ name: { nameIdentifier: [{ primaryIdentifier: 'X-CANARY-77', naturalPersonNameIdentifierType: 'ALIA' }] } })], // prettier-ignore
  ['a name without its type', 'name.nameIdentifier[0].naturalPersonNameIdentifierType', 'required', natural({ name: { nameIdentifier: [{ primaryIdentifier: 'X-CANARY-77' }] } })], // prettier-ignore
  ['a name with a control character', 'name.nameIdentifier[0].primaryIdentifier', 'pattern_mismatch', natural({ name: naturalName('A\u0007') })], // prettier-ignore
  ['a name with half of a surrogate pair', 'name.nameIdentifier[0].primaryIdentifier', 'pattern_mismatch', natural({ name: naturalName('A\ud83d') })], // prettier-ignore
  ['halves of a surrogate pair in the wrong order', 'name.nameIdentifier[0].secondaryIdentifier', 'pattern_mismatch', natural({ name: naturalName('A', '\udc00\ud800B') })], // prettier-ignore
  ['a name of spaces', 'name.nameIdentifier[0].primaryIdentifier', 'pattern_mismatch', natural({ name: naturalName(' \u00a0\u3000') })], // prettier-ignore
  ['an organization with an invisible name', 'name.nameIdentifier[0].legalPersonName', 'pattern_mismatch', legal({ name: legalName('\u200b\u2060\u3164\u2800') })], // prettier-ignore
  ['a blank local name', 'name.localNameIdentifier[0].primaryIdentifier', 'pattern_mismatch', natural({ name: { ...naturalName('Yamada'), localNameIdentifier: [{ primaryIdentifier: '\u3000', naturalPersonNameIdentifierType: 'MISC' }] } })], // prettier-ignore
  ['a blank town', 'geographicAddress[0].townName', 'pattern_mismatch', natural({ geographicAddress: [{ ...HOME, townName: ' ' }] })], // prettier-ignore
  ['a name that is too long', 'name.nameIdentifier[0].primaryIdentifier', 'length_outside_bounds', natural({ name: naturalName('a'.repeat(101)) })], // prettier-ignore
  ['an unknown country', 'countryOfResidence', 'invalid_value', natural({ countryOfResidence: 'ZZ' })],
  ['an address without street or lines', 'geographicAddress[0].streetName', 'required', natural({ geographicAddress: [{ addressType: 'HOME', townName: 'X-CANARY-77', country: 'FR' }] })], // prettier-ignore
  ['a date of birth in the future', 'dateAndPlaceOfBirth.dateOfBirth', 'invalid_value', natural({ dateAndPlaceOfBirth: { dateOfBirth: '2999-01-01', placeOfBirth: 'Lyon' } })], // prettier-ignore
  ['nothing but a name', '', 'required', natural({ geographicAddress: undefined })],
])('%s is rejected with the name of the field', async (_, field, error, originator) => {
  const { status, body } = await sendPii(client, { ivms101: payload(originator) });
  expect(status).toBe(400);
  const kind = 'naturalPerson' in (originator as any).originatorPerson[0] ? 'naturalPerson' : 'legalPerson'; // oxlint-disable-line typescript/no-explicit-any
  const location = `ivms101.originator.originatorPerson[0].${kind}${field && `.${field}`}`;
  expect(body).toMatchObject({ code: 2, errors: [{ location, error }] });
  expect(body.errors[0].message).toContain(location);
  for (const { message } of body.errors) expect(message).not.toContain('X-CANARY-77');
});

test('a person must be either natural or legal', async () => {
  const both = { originatorPerson: [{ naturalPerson: NATURAL, legalPerson: LEGAL }] };
  for (const originator of [both, { originatorPerson: [{}] }]) {
    expect(await sendPii(client, { ivms101: payload(originator) })).toMatchObject({ status: 400, body: { code: 2 } });
  }
});

/** Introduced by the API on 2024-12-18. */
test('every field of a travel-rule request has a description, and every field with a value has an example', () => {
  const undescribed: string[] = [];
  const walk = (schema: z.core.JSONSchema.BaseSchema, path: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const at = `${path}.${name}`;
      if (typeof field === 'boolean') continue;
      const isList = field.type === 'array' && typeof (field.items as { properties?: object }).properties === 'object';
      if (!field.description || (!field.properties && !isList && !field.examples)) undescribed.push(at);
      walk(field, at);
      if (isList) walk(field.items as z.core.JSONSchema.BaseSchema, `${at}[]`);
    }
  };
  const described = Object.entries(AREAS.compliance).filter(([id]) => id !== 'screenAddress');
  expect(described).toHaveLength(7);
  for (const [id, { body }] of described) walk(z.toJSONSchema(body!, { io: 'input' }), id);
  expect(undescribed).toEqual([]);
});
